import { centsToPixAmount, formatReturnId } from '@jangada/pix';
import { formatMoment } from './clock.ts';
import { randomSuffix } from './random-suffix.ts';
import type { SandboxRefund } from './records.ts';

/** BACEN's Devolucao. */
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

/** A new rtrId, with the ISPB of the returning institution. */
export function newReturnId(ispb: string, at: number): string {
  return formatReturnId({ ispb, at: new Date(at), suffix: randomSuffix() });
}
