import { randomBytes } from 'node:crypto';
import { centsToPixAmount, formatEndToEndId, formatReturnId } from '@jangada/pix';
import type { Books } from './books.ts';
import { formatMoment } from './clock.ts';
import type { Pix, PixParts, SandboxRefund } from './records.ts';

/** By how much the parts of an amount fail to add up while the bank shows wrong ones. */
const WRONG_BY_CENTS = 100;

/** Formats a Pix with its refunds as BACEN does, and adds the payer in Efí's field `gnExtras`, with a masked CPF. */
export function formatPix(books: Books, pix: Pix): Record<string, unknown> {
  const refunds = books.refundsByPix.get(pix.endToEndId);
  return {
    endToEndId: pix.endToEndId,
    ...(pix.txid !== undefined && { txid: pix.txid }),
    valor: centsToPixAmount(pix.amountCents),
    ...(pix.parts?.shown !== 'left-out' && {
      componentesValor: formatParts(pix.parts ?? { originalCents: pix.amountCents }),
    }),
    chave: pix.key,
    horario: formatMoment(pix.at),
    ...(pix.message !== undefined && { infoPagador: pix.message }),
    ...(refunds !== undefined && { devolucoes: refunds.map(formatRefund) }),
    gnExtras: { pagador: formatPerson(pix.payer) },
  };
}

/** Formats what an amount is made up of, without the parts that are zero, but always with the original amount. */
function formatParts({
  originalCents,
  fineCents = 0,
  interestCents = 0,
  rebateCents = 0,
  discountCents = 0,
  shown,
}: Partial<PixParts> & Pick<PixParts, 'originalCents'>): object {
  const parts = {
    multa: fineCents,
    juros: interestCents + (shown === 'wrong' ? WRONG_BY_CENTS : 0),
    abatimento: rebateCents,
    desconto: discountCents,
  };
  const present = Object.entries(parts).filter(([, cents]) => cents > 0);
  return Object.fromEntries(
    [['original', originalCents] as const, ...present].map(([name, cents]) => [
      name,
      { valor: centsToPixAmount(cents) },
    ]),
  );
}

/** Formats a refund as BACEN's Devolucao. */
export function formatRefund(refund: SandboxRefund): object {
  const { id, rtrId, amountCents, nature, description, at, settledAt, status, reason } = refund;
  return {
    id,
    rtrId,
    valor: centsToPixAmount(amountCents),
    natureza: nature,
    ...(description !== undefined && { descricao: description }),
    horario: {
      solicitacao: formatMoment(at),
      ...(settledAt !== undefined && { liquidacao: formatMoment(settledAt) }),
    },
    status,
    ...(reason !== undefined && { motivo: reason }),
  };
}

/** Formats a person as a bank shows them to others: a CPF is masked except for its middle digits. */
export function formatPerson({ name, document }: { name: string; document: string }): object {
  return document.length === 11
    ? { nome: name, cpf: `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**` }
    : { nome: name, cnpj: document };
}

/** Returns a new endToEndId, with the ISPB of the paying institution. */
export function newEndToEndId(ispb: string, at: number): string {
  return formatEndToEndId({ ispb, at: new Date(at), suffix: randomSuffix() });
}

/** Returns a new rtrId, with the ISPB of the returning institution. */
export function newReturnId(ispb: string, at: number): string {
  return formatReturnId({ ispb, at: new Date(at), suffix: randomSuffix() });
}

/** Returns 11 random letters and digits, with which an endToEndId or rtrId ends. */
export function randomSuffix(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-11);
}
