import type { Bank } from '../bank.ts';
import type { Subject } from '../notifier.ts';
import type { BookRecord } from '../records.ts';
import type { AutomaticEnding, AutomaticRequester, RecPayer, SandboxRec } from './automatic-records.ts';
import { cancelCobr, cobrSubject, hasCobrEnded } from './cobr.ts';
import { cancellationText } from './cobr-codes.ts';
import { moveRec, recSubject } from './rec.ts';

/** A change of the books, and what the webhooks are told of it. */
export interface AutomaticChange {
  readonly records: BookRecord[];
  readonly subjects: Subject[];
}

/** Cancels a rec, and with it the charges that are still open: none is debited afterwards. */
export function cancelRec(
  bank: Bank,
  rec: SandboxRec,
  requester: AutomaticRequester,
  code: string,
  at: number,
): AutomaticChange {
  const cancelled = moveRec(rec, 'CANCELADA', at, { requester, code, text: cancellationText(code) });
  const end: AutomaticEnding = { requester, code: 'CCLD', text: cancellationText('CCLD') };
  const cobrs = bank.books.automatic
    .cobrsOf(rec.idRec)
    .filter((cobr) => !hasCobrEnded(cobr))
    .map((cobr) => cancelCobr(cobr, at, end));
  return {
    records: [{ t: 'rec', rec: cancelled }, ...cobrs.map((cobr): BookRecord => ({ t: 'cobr', cobr }))],
    subjects: [recSubject(cancelled), ...cobrs.map((cobr) => cobrSubject(bank, cobr, at))],
  };
}

/** Approves a rec in a payer's name, by the journey that the payer took. */
export function approveRec(
  rec: SandboxRec,
  journey: NonNullable<SandboxRec['journey']>,
  payer: RecPayer,
  at: number,
): AutomaticChange & { readonly rec: SandboxRec } {
  const approved = moveRec({ ...rec, journey, payer }, 'APROVADA', at);
  return { records: [{ t: 'rec', rec: approved }], subjects: [recSubject(approved)], rec: approved };
}
