import type { Bank } from '../bank.ts';
import { formatMoment } from '../clock.ts';
import type { SandboxSolicRec } from './automatic-records.ts';
import type { AutomaticChange } from './end-rec.ts';
import { formatHistory, formatRecPayload } from './rec.ts';

/** Returns a request with a new status. While it is open, it expires; `dueAt` says when something is due before. */
export function moveSolicRec(
  { dueAt: _, ...solicRec }: SandboxSolicRec,
  status: SandboxSolicRec['status'],
  at: number,
  dueAt?: number,
): SandboxSolicRec {
  return {
    ...solicRec,
    status,
    history: [...solicRec.history, { status, at }],
    ...(dueAt !== undefined && { dueAt }),
  };
}

/** Whether a request can still be answered or cancelled. */
export function isSolicRecOpen({ status }: SandboxSolicRec): boolean {
  return status === 'CRIADA' || status === 'ENVIADA' || status === 'RECEBIDA';
}

/** Does what is due about a request: sends it to the payer's bank, lets that bank receive it, or lets it expire. */
export function continueSolicRec(bank: Bank, solicRec: SandboxSolicRec, at: number): AutomaticChange {
  const { status, expiresAt } = solicRec;
  // There is no webhook for requests: a receiver asks, or learns of the payer's answer by the mandate's.
  const to = (moved: SandboxSolicRec): AutomaticChange => ({
    records: [{ t: 'solicrec', solicRec: moved }],
    subjects: [],
  });
  if (at >= expiresAt) return to(moveSolicRec(solicRec, 'EXPIRADA', at));
  if (status === 'CRIADA') {
    return to(moveSolicRec(solicRec, 'ENVIADA', at, Math.min(at + bank.processingMs, expiresAt)));
  }
  return to(moveSolicRec(solicRec, 'RECEBIDA', at, expiresAt));
}

/** Formats a request as BACEN's SolicRecCompleta. */
export function formatSolicRec(bank: Bank, solicRec: SandboxSolicRec): object {
  const { idSolicRec, idRec, expiresAt, recipient, status, history } = solicRec;
  const rec = bank.books.automatic.recs.get(idRec);
  return {
    idSolicRec,
    idRec,
    calendario: { dataExpiracaoSolicitacao: formatMoment(expiresAt) },
    destinatario: recipient,
    status,
    ...formatHistory(history),
    ...(rec !== undefined && { recPayload: formatRecPayload(bank, rec) }),
  };
}
