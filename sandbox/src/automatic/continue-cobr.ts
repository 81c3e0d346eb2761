import type { Bank } from '../bank.ts';
import { specialEffect } from '../behaviour.ts';
import type { Subject } from '../notifier.ts';
import { newEndToEndId } from '../pix.ts';
import type { BookRecord, Pix } from '../records.ts';
import type { CobrAttempt, SandboxCobr, SandboxRec } from './automatic-records.ts';
import { cobrSubject, moveAttempt, moveCobr, openAttempt } from './cobr.ts';
import {
  cobrDeadline,
  debitDayOf,
  debitMoments,
  hourAt,
  lastRetryDay,
  MOST_RETRIES,
  orderWindow,
} from './cobr-calendar.ts';
import { endsCharge, rejectionOf } from './cobr-codes.ts';
import type { AutomaticChange } from './end-rec.ts';

/** What a debit takes from the payer, if the payer is the bank app's customer. */
export type DebitPayer = (pix: Pix) => { fromAppCents?: number; topUpCents?: number };

/**
 * Does what is due about a charge: sends it to the payer's bank, answers for that bank, debits, tells of a failure, or
 * ends the charge. `at` is the time at which it was due, which the clock may have passed long ago.
 */
export function continueCobr(
  bank: Bank,
  rec: SandboxRec,
  cobr: SandboxCobr,
  at: number,
  debitPayer: DebitPayer,
): AutomaticChange {
  const attempt = openAttempt(cobr);
  if (cobr.status === 'CRIADA') return tell(bank, sendOrder(bank, rec, cobr, at), at);
  if (attempt === undefined) return tell(bank, moveCobr(cobr, 'EXPIRADA', at), at);
  if (attempt.status === 'SOLICITADA') return tell(bank, answerOrder(rec, cobr, attempt, at), at);
  const problem = debitProblem(rec, cobr, at);
  if (problem === undefined) return debit(bank, rec, cobr, attempt, at, debitPayer);
  const { second, told } = debitMoments(attempt.day);
  if (problem !== 'NO_FUNDS' && endsCharge(problem)) {
    return tell(bank, rejectAttempt(rec, cobr, problem, at), at);
  }
  // Until the evening nobody is told: the payer may still pay money in.
  if (at < told)
    return { records: [{ t: 'cobr', cobr: { ...cobr, dueAt: at < second ? second : told } }], subjects: [] };
  const failed =
    problem === 'NO_FUNDS'
      ? endUnlessOpen(rec, moveAttempt(cobr, 'EXPIRADA', at), at)
      : rejectAttempt(rec, cobr, problem, at);
  return tell(bank, failed, at);
}

/** Orders an attempt for a day. The payer's bank answers later. */
export function orderAttempt(
  bank: Bank,
  rec: SandboxRec,
  cobr: SandboxCobr,
  order: Pick<CobrAttempt, 'day' | 'kind'>,
  at: number,
): SandboxCobr {
  const endToEndId = newEndToEndId(rec.payer?.ispb ?? bank.account.ispb, at);
  const attempt: CobrAttempt = {
    ...order,
    endToEndId,
    status: 'SOLICITADA',
    history: [{ status: 'SOLICITADA', at }],
  };
  return { ...cobr, attempts: [...cobr.attempts, attempt], dueAt: at + bank.processingMs };
}

function sendOrder(bank: Bank, rec: SandboxRec, cobr: SandboxCobr, at: number): SandboxCobr {
  const active = moveCobr(cobr, 'ATIVA', at);
  return orderAttempt(bank, rec, active, { day: debitDayOf(cobr), kind: 'AGND' }, at);
}

function answerOrder(rec: SandboxRec, cobr: SandboxCobr, attempt: CobrAttempt, at: number): SandboxCobr {
  const problem = orderProblem(rec, cobr, attempt);
  if (problem !== undefined) return rejectAttempt(rec, cobr, problem, at);
  return { ...moveAttempt(cobr, 'AGENDADA', at), dueAt: debitMoments(attempt.day).first };
}

/** Returns the code with which the payer's bank rejects an order; undefined if it accepts the order. */
function orderProblem(rec: SandboxRec, cobr: SandboxCobr, attempt: CobrAttempt): string | undefined {
  const { terms, debits, payer } = rec;
  if (debits.rejects !== undefined) return debits.rejects;
  // No code of the table is for a mandate that has ended, so this bank has the same for each that is not approved.
  if (rec.status !== 'APROVADA') return 'MSUC';
  if (debits.account !== 'open') return accountProblem(debits.account);
  if (attempt.kind === 'AGND' && isOutOfPeriod(rec, cobr)) return 'DTED';
  if (attempt.kind === 'NTAG' && attempt.day > lastRetryDay(terms, cobr)) return 'DTNT';
  if (attempt.kind === 'NTAG' && countRetries(cobr) >= MOST_RETRIES) return 'QUNT';
  if (terms.fixedCents !== undefined && cobr.amountCents !== terms.fixedCents) return 'AM09';
  return payer?.maxCents !== undefined && cobr.amountCents > payer.maxCents ? 'AM02' : undefined;
}

/** Whether a charge is due outside the mandate's term, or came too late: BACEN's table has no other code for that. */
function isOutOfPeriod({ terms }: SandboxRec, cobr: SandboxCobr): boolean {
  const { firstDay, lastDay } = terms;
  const isOutside = cobr.dueDate < firstDay || (lastDay !== undefined && cobr.dueDate > lastDay);
  return isOutside || cobr.createdAt >= orderWindow(cobr).closes;
}

/** Counts the further attempts that the payer's bank has accepted. */
function countRetries({ attempts }: SandboxCobr): number {
  return attempts.filter(
    ({ kind, history }) => kind === 'NTAG' && history.some(({ status }) => status === 'AGENDADA'),
  ).length;
}

/** Returns why a debit fails: a code, or NO_FUNDS, for which BACEN has none; undefined if it succeeds. */
function debitProblem({ debits }: SandboxRec, { amountCents }: SandboxCobr, at: number): string | undefined {
  if (debits.account !== 'open') return accountProblem(debits.account);
  const hour = hourAt(at);
  const funds = debits.funds.filter(({ fromHour }) => fromHour <= hour).at(-1)?.cents;
  const isRefused = specialEffect(amountCents) === 'payment-refused';
  return isRefused || (funds !== undefined && funds < amountCents) ? 'NO_FUNDS' : undefined;
}

function accountProblem(account: 'blocked' | 'closed'): string {
  return account === 'closed' ? 'AC05' : 'AC06';
}

/** Returns a charge whose open attempt is rejected, and the charge with it if the code or the calendar says so. */
function rejectAttempt(rec: SandboxRec, cobr: SandboxCobr, code: string, at: number): SandboxCobr {
  const rejected = moveAttempt(cobr, 'REJEITADA', at, code);
  if (endsCharge(code)) return moveCobr(rejected, 'REJEITADA', at, rejectionOf(code));
  return endUnlessOpen(rec, rejected, at);
}

/** Returns a charge without an open attempt: it waits for another one until its deadline, or ends if that is over. */
function endUnlessOpen({ terms }: SandboxRec, cobr: SandboxCobr, at: number): SandboxCobr {
  const deadline = cobrDeadline(terms, cobr);
  return at >= deadline ? moveCobr(cobr, 'EXPIRADA', at) : { ...cobr, dueAt: deadline };
}

/** Debits the payer: the charge is paid by a Pix with its txid and the endToEndId of the attempt. */
function debit(
  bank: Bank,
  rec: SandboxRec,
  cobr: SandboxCobr,
  { endToEndId }: CobrAttempt,
  at: number,
  debitPayer: DebitPayer,
): AutomaticChange {
  const { key } = bank.account;
  const payer = { name: rec.payer?.name ?? '', document: rec.payer?.document ?? '' };
  const pix: Pix = { endToEndId, txid: cobr.txid, amountCents: cobr.amountCents, key, at, payer };
  const paid = moveCobr(moveAttempt(cobr, 'PAGA', at), 'CONCLUIDA', at);
  const records: BookRecord[] = [
    { t: 'pix', pix, ...debitPayer(pix) },
    { t: 'cobr', cobr: paid },
  ];
  const told: Subject = { id: endToEndId, endToEndId, key, at };
  return { records, subjects: [told, cobrSubject(bank, paid, at)] };
}

function tell(bank: Bank, cobr: SandboxCobr, at: number): AutomaticChange {
  return { records: [{ t: 'cobr', cobr }], subjects: [cobrSubject(bank, cobr, at)] };
}
