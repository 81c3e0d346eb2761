import { centsToPixAmount } from '@jangada/pix';
import { OTHER_ISPB } from './account.ts';
import { formatMoment } from './clock.ts';
import { formatPerson, newReturnId, randomSuffix } from './pix.ts';
import type { Payout } from './records.ts';

/** The error of a payout that the other bank refuses: reason code AC03 of Pix, the payee's account does not exist. */
const ACCOUNT_UNKNOWN = {
  code: 'AC03',
  origin: 'PSP do usuário recebedor',
  reason: 'Número da agência e/ou conta transacional do usuário recebedor inexistente ou inválido',
} as const;

/**
 * Returns the next state of a payout that is due, and the items to send to the webhook. A completed payout is due only
 * if the other bank will return it.
 */
export function continuePayout(
  { dueAt: _, ...payout }: Payout,
  now: number,
  returnSeconds: number,
): { continued: Payout; items: Record<string, unknown>[] } {
  if (payout.status === 'REALIZADO') {
    const cameBack = {
      rtrId: newReturnId(OTHER_ISPB, now),
      at: now,
      reason: 'Devolução solicitada pelo usuário recebedor',
    };
    const continued = { ...payout, cameBack };
    return { continued, items: [payoutItem(continued)] };
  }
  const completed: Payout = { ...payout, status: 'REALIZADO', settledAt: now };
  const failed: Payout = { ...payout, status: 'NAO_REALIZADO', error: ACCOUNT_UNKNOWN };
  switch (payout.fate) {
    case 'completes':
      return { continued: completed, items: [payoutItem(completed)] };
    case 'returns':
      return {
        continued: { ...completed, dueAt: now + returnSeconds * 1000 },
        items: [payoutItem(completed)],
      };
    case 'fails':
      return { continued: failed, items: [payoutItem(failed)] };
    case 'misreported': {
      const unknownPayout = { ...completed, idEnvio: `ninguem${randomSuffix()}` };
      return { continued: failed, items: [payoutItem(completed), payoutItem(unknownPayout)] };
    }
  }
}

/** Formats a payout as Efí's lists and look-ups do. */
export function formatPayout(payout: Payout): object {
  const { payee, error, cameBack, settledAt } = payout;
  return {
    endToEndId: payout.endToEndId,
    idEnvio: payout.idEnvio,
    valor: centsToPixAmount(payout.amountCents),
    chave: payout.key,
    status: payout.status,
    ...(payout.message !== undefined && { infoPagador: payout.message }),
    horario: {
      solicitacao: formatMoment(payout.at),
      ...(settledAt !== undefined && { liquidacao: formatMoment(settledAt) }),
    },
    favorecido: { chave: payee.key, identificacao: formatPerson(payee) },
    ...(error !== undefined && { gnExtras: { erro: formatError(error) } }),
    ...(cameBack !== undefined && { devolucoes: [formatReturn(payout, cameBack)] }),
  };
}

/**
 * Formats the item that is sent to the webhook of the paying key, as Efí does. `horario` is null for a payout that did
 * not complete.
 */
function payoutItem(payout: Payout): Record<string, unknown> {
  const { error, cameBack, settledAt } = payout;
  return {
    tipo: 'SOLICITACAO',
    endToEndId: payout.endToEndId,
    chave: payout.key,
    valor: centsToPixAmount(payout.amountCents),
    status: payout.status,
    horario: settledAt === undefined ? null : formatMoment(settledAt),
    ...(payout.message !== undefined && { infoPagador: payout.message }),
    gnExtras: { idEnvio: payout.idEnvio, ...(error !== undefined && { erro: formatError(error) }) },
    ...(cameBack !== undefined && { devolucoes: [formatReturn(payout, cameBack)] }),
  };
}

function formatError({ code, origin, reason }: NonNullable<Payout['error']>): object {
  return { codigo: code, origem: origin, motivo: reason };
}

function formatReturn(
  { amountCents }: Payout,
  { rtrId, at, reason }: NonNullable<Payout['cameBack']>,
): object {
  return {
    rtrId,
    valor: centsToPixAmount(amountCents),
    horario: { solicitacao: formatMoment(at), liquidacao: formatMoment(at) },
    status: 'DEVOLVIDO',
    motivo: reason,
  };
}
