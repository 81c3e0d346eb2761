import { pixAmountToCents } from '@jangada/pix';
import { z } from 'zod';
import type { Bank } from './bank.ts';
import { type Behaviour, SPECIAL_REFUND_AMOUNTS } from './behaviour.ts';
import { refundedCents } from './books.ts';
import { newReturnId } from './pix.ts';
import type { Pix, SandboxRefund } from './records.ts';
import { Problem } from './refusal.ts';

/** By BACEN's rule a Pix can be returned within 90 days of its settlement. */
const REFUND_WINDOW_MS = 90 * 86_400_000;

const requestSchema = z.object({
  valor: z
    .string({ error: 'O campo devolucao.valor não respeita o schema.' })
    .regex(/^\d{1,10}\.\d{2}$/, { error: 'O campo devolucao.valor não respeita o schema.' })
    .refine((text) => /[1-9]/.test(text), { error: 'O campo devolucao.valor é zero.' }),
  natureza: z
    .literal('ORIGINAL', { error: 'O Pix não é Saque nem Troco: a natureza só pode ser ORIGINAL.' })
    .optional(),
  descricao: z.string({ error: 'O campo devolucao.descricao não respeita o schema.' }).max(140).optional(),
});

/** The content of a validated request for a refund. */
export interface RefundRequest {
  readonly id: string;
  readonly amountCents: number;
  readonly description?: string;
}

/** Reads BACEN's DevolucaoSolicitada. Throws PixDevolucaoInvalida with every violation. */
export function readRefundRequest(id: string, body: unknown): RefundRequest {
  if (!/^[\dA-Za-z]{1,35}$/.test(id)) throw invalidRefund('O id tem de 1 a 35 letras e dígitos.', 'id', id);
  const { data, error } = requestSchema.safeParse(body);
  if (error !== undefined) {
    const violations = error.issues.map(({ message, path }) => ({
      razao: message,
      propriedade: ['devolucao', ...path].join('.'),
    }));
    throw new Problem('PixDevolucaoInvalida', 'A requisição de devolução é inválida.', { violations });
  }
  return {
    id,
    amountCents: pixAmountToCents(data.valor),
    ...(data.descricao !== undefined && { description: data.descricao }),
  };
}

/** Returns the behaviour for a refund: the one of its amount if that is special, or else the configured one. */
export function refundBehaviour(bank: Bank, amountCents: number): Behaviour['refunds'] {
  const special = SPECIAL_REFUND_AMOUNTS.find(({ cents }) => cents === amountCents);
  return special?.effect ?? bank.books.behaviour.refunds;
}

/**
 * Accepts a refund requested by the account's holder, and resolves once the refund is on disk. The refund finishes a
 * moment later. Throws PixDevolucaoInvalida if the refund is not acceptable, and also if the id was already used for
 * this Pix: after a timeout the caller must look the refund up by GET and not repeat the request.
 */
export async function requestRefund(bank: Bank, pix: Pix, request: RefundRequest): Promise<SandboxRefund> {
  const now = bank.books.clock.now();
  checkRefund(bank, pix, request, now);
  const behaviour = refundBehaviour(bank, request.amountCents);
  if (behaviour === 'refused-in-call')
    throw invalidRefund('A devolução foi negada por análises.', 'devolucao');
  const waitMs = behaviour === 'slow' ? bank.books.behaviour.slowSeconds * 1000 : bank.processingMs;
  const refund: SandboxRefund = {
    ...request,
    endToEndId: pix.endToEndId,
    rtrId: newReturnId(bank.account.ispb, now),
    nature: 'ORIGINAL',
    at: now,
    status: 'EM_PROCESSAMENTO',
    fate: behaviour === 'refused' ? 'fails' : 'completes',
    dueAt: now + waitMs,
  };
  await bank.books.record({ t: 'refund', refund });
  bank.settler.wake();
  return refund;
}

/** Returns how much of a Pix is neither refunded nor being refunded, in cents. */
export function refundableCents(bank: Bank, pix: Pix): number {
  const refunds = bank.books.refundsByPix.get(pix.endToEndId) ?? [];
  return refunds.reduce((remainingCents, refund) => remainingCents - refundedCents(refund), pix.amountCents);
}

function checkRefund(bank: Bank, pix: Pix, { id, amountCents }: RefundRequest, now: number): void {
  const { refundsByPix, openDisputes, availableCents } = bank.books;
  if (refundsByPix.get(pix.endToEndId)?.some((refund) => refund.id === id)) {
    throw invalidRefund('O id já foi utilizado por outra devolução deste Pix.', 'id', id);
  }
  if (openDisputes.has(pix.endToEndId)) {
    throw invalidRefund('O Pix está em contestação (MED).', 'e2eid');
  }
  if (now - pix.at > REFUND_WINDOW_MS) {
    throw invalidRefund('A devolução foi solicitada mais de 90 dias depois da liquidação do Pix.', 'e2eid');
  }
  if (amountCents > refundableCents(bank, pix)) {
    throw invalidRefund('A devolução, com as anteriores, excederia o valor do Pix.', 'devolucao.valor');
  }
  if (amountCents > availableCents) {
    throw invalidRefund('Saldo insuficiente para realizar a devolução.', 'devolucao.valor');
  }
}

function invalidRefund(razao: string, propriedade: string, valor?: string): Problem {
  return new Problem('PixDevolucaoInvalida', 'A requisição de devolução é inválida.', {
    violations: [{ razao, propriedade, ...(valor !== undefined && { valor }) }],
  });
}
