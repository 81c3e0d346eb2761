import { centsToPixAmount } from '@jangada/pix';
import type { Bank } from '../bank.ts';
import { dayAt } from '../bank-days.ts';
import type { Subject } from '../notifier.ts';
import { formatPix } from '../pix.ts';
import type { AutomaticEnding, CobrAttempt, SandboxCobr } from './automatic-records.ts';
import { rejectionOf } from './cobr-codes.ts';
import { formatEnding, formatHistory } from './rec.ts';

/** Returns a charge with a new status, which it has from `at` on. Nothing more is due once it has ended. */
export function moveCobr(
  { dueAt, ...cobr }: SandboxCobr,
  status: SandboxCobr['status'],
  at: number,
  end?: AutomaticEnding,
): SandboxCobr {
  return {
    ...cobr,
    status,
    history: [...cobr.history, { status, at }],
    ...(end !== undefined && { end }),
    ...(status === 'ATIVA' && dueAt !== undefined && { dueAt }),
  };
}

/** Whether a charge has ended, so that nothing about it can change. */
export function hasCobrEnded({ status }: SandboxCobr): boolean {
  return status !== 'CRIADA' && status !== 'ATIVA';
}

/** Returns the attempt that has not ended, if there is one. There is never more than one. */
export function openAttempt({ attempts }: SandboxCobr): CobrAttempt | undefined {
  return attempts.find(({ status }) => status === 'SOLICITADA' || status === 'AGENDADA');
}

/** Returns a charge whose open attempt, if it has one, has a new status, and a reason for a rejection. */
export function moveAttempt(
  cobr: SandboxCobr,
  status: CobrAttempt['status'],
  at: number,
  rejectionCode?: string,
): SandboxCobr {
  const open = openAttempt(cobr);
  const moved = (attempt: CobrAttempt): CobrAttempt => ({
    ...attempt,
    status,
    history: [...attempt.history, { status, at }],
    ...(rejectionCode !== undefined && { rejection: rejectionOf(rejectionCode) }),
  });
  return {
    ...cobr,
    attempts: cobr.attempts.map((attempt) => (attempt === open ? moved(attempt) : attempt)),
  };
}

/** Returns a charge that has ended without being paid, with its open attempt. */
export function cancelCobr(cobr: SandboxCobr, at: number, end: AutomaticEnding): SandboxCobr {
  return moveCobr(moveAttempt(cobr, 'CANCELADA', at), 'CANCELADA', at, end);
}

/** What the webhook of recurring charges is told of a charge's last change. */
export function cobrSubject(bank: Bank, cobr: SandboxCobr, at: number): Subject {
  const changes = cobr.attempts.reduce((sum, { history }) => sum + history.length, cobr.history.length);
  return {
    id: `cobr ${cobr.txid} ${changes}`,
    endToEndId: '',
    key: '',
    at,
    channel: 'cobr',
    item: { idRec: cobr.idRec, txid: cobr.txid, status: cobr.status, ...formatCourse(bank, cobr) },
  };
}

/** Formats a charge as BACEN's CobRGerada. */
export function formatCobr(bank: Bank, cobr: SandboxCobr): object {
  const { idRec, txid, info, dueDate, amountCents, adjusts, receiver, debtor, status, createdAt } = cobr;
  const rec = bank.books.automatic.recs.get(idRec);
  return {
    idRec,
    txid,
    ...(info !== undefined && { infoAdicional: info }),
    calendario: { criacao: dayAt(createdAt), dataDeVencimento: dueDate },
    valor: { original: centsToPixAmount(amountCents) },
    ajusteDiaUtil: adjusts,
    recebedor: { cnpj: bank.account.document, nome: bank.account.name, ...receiver },
    ...(debtor !== undefined && { devedor: debtor }),
    status,
    politicaRetentativa: rec?.terms.mayRetry === true ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
  };
}

/** Formats a charge with all that happened to it, as BACEN's CobRCompleta. */
export function formatCompleteCobr(bank: Bank, cobr: SandboxCobr): object {
  return { ...formatCobr(bank, cobr), ...formatCourse(bank, cobr) };
}

function formatCourse(bank: Bank, { txid, history, end, attempts }: SandboxCobr): object {
  const received = bank.books.pixByTxid.get(txid);
  return {
    ...formatHistory(history),
    ...formatEnding(end),
    ...(attempts.length > 0 && { tentativas: attempts.map(formatAttempt) }),
    ...(received !== undefined && { pix: received.map((pix) => formatPix(bank.books, pix)) }),
  };
}

function formatAttempt({ day, kind, status, endToEndId, history, rejection }: CobrAttempt): object {
  return {
    dataLiquidacao: day,
    tipo: kind,
    status,
    endToEndId,
    ...formatHistory(history),
    ...(rejection !== undefined && { rejeicao: { codigo: rejection.code, descricao: rejection.text } }),
  };
}
