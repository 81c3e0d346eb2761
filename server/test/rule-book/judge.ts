import {
  type ChargeRecord,
  isOutsideTerm,
  lastRetryDay,
  type MandateRecord,
  outsideWindow,
  retriesOf,
} from './bank-records.ts';
import {
  cycleStart,
  dayOf,
  endOf,
  HOUR,
  MINUTE,
  momentOn,
  receiverMayCancelUntil,
  writeDay,
} from './calendar.ts';
import type { CallMade, Conversation } from './faults.ts';
import type { CycleOutcome, ReceiverRecords } from './receiver.ts';
import type { BankRules } from './rule-book.ts';
import type { Scenario } from './scenario.ts';

/** What is promised, whatever payers, banks and networks do. */
export type Guarantee =
  | 'no cycle is debited twice'
  | 'no cycle is forgotten'
  | 'each reason is true'
  | 'nothing is given up too soon'
  | 'no debit after a cancellation'
  | 'an ended subscription’s mandate is cancelled'
  | 'nothing is sent outside its window'
  | 'nothing is cancelled after 22:00'
  | 'retries keep to the rules'
  | 'one charge a cycle'
  | 'the amount is as agreed'
  | 'nothing is ordered without a mandate'
  | 'what was paid otherwise is not debited'
  | 'the books equal the bank’s'
  | 'it sleeps until there is something to do';

export interface Violation {
  readonly guarantee: Guarantee;
  readonly cycle: number | null;
  readonly what: string;
}

export interface Verdict {
  readonly idRec: string;
  readonly violations: readonly Violation[];
  /** How the judged cycles ended, by the receiver's records. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Every code that occurred in the mandate's life. */
  readonly codes: ReadonlySet<string>;
}

/** All that was done and known about one mandate, from every side. */
export interface Evidence {
  readonly mandate: MandateRecord;
  readonly conversation: Conversation;
  readonly records: ReceiverRecords;
  readonly scenario: Scenario;
  readonly merchantEndedAt: number | null;
  /** When the merchant took single cycles back, by number; none by default. */
  readonly merchantCancelled?: ReadonlyMap<number, number>;
  readonly neverSleeps: boolean;
  /** How long after an order of the merchant's, or news, it may be carried out; at once by default. */
  readonly reactsWithin?: number;
  readonly rules: BankRules;
}

/** A receiver that asks once a day must have learnt within this time what no notice told. */
const LEARNT_WITHIN = 26 * HOUR;
/** How shortly before the last moment, or how often, a receiver must have tried what no call got through for. */
const TRIED_WITHIN = 30 * MINUTE;
const TRIED_OFTEN = 5;

/** The strictest reading of the window: who keeps to it may call a cycle unsent when it has closed. */
const STRICTEST: BankRules = { checksAtCall: true, window: 'every', tellsDebitsApart: true };

export function judge(evidence: Evidence): Verdict {
  const violations: Violation[] = [];
  const blame: Blame = (guarantee, cycle, what) => violations.push({ guarantee, cycle, what });
  judgeCalls(evidence, blame);
  judgeDebits(evidence, blame);
  const outcomes = judgeOutcomes(evidence, blame);
  judgeBooks(evidence, blame);
  const { mandate, merchantEndedAt, neverSleeps } = evidence;
  if (neverSleeps) blame('it sleeps until there is something to do', null, 'woken without end');
  if (merchantEndedAt !== null && mandate.endedAt === null)
    blame(
      'an ended subscription’s mandate is cancelled',
      null,
      `ended by the merchant ${at(merchantEndedAt)}`,
    );
  return { idRec: mandate.idRec, violations, outcomes, codes: codesOf(mandate) };
}

type Blame = (guarantee: Guarantee, cycle: number | null, what: string) => void;

const at = (moment: number) => `at ${new Date(moment - 3 * HOUR).toISOString().slice(0, 19)}`;

// ---- what the receiver did ----

function judgeCalls(evidence: Evidence, blame: Blame): void {
  const { mandate, conversation } = evidence;
  for (const [index, call] of conversation.calls.entries()) {
    const before = conversation.calls.slice(0, index);
    if (call.what === 'send') judgeSend(evidence, call, before, blame);
    if (call.what === 'cancel') {
      const charge = mandate.charges.find(({ txid }) => txid === call.txid);
      if (charge !== undefined && call.at > receiverMayCancelUntil(charge.settlesOn))
        blame('nothing is cancelled after 22:00', call.cycle, at(call.at));
    }
    if (call.what === 'retry') judgeRetry(evidence, call, before, blame);
    if (call.what === 'send' || call.what === 'retry') judgeRight(evidence, call, blame);
  }
}

function judgeSend(
  { mandate, rules, scenario }: Evidence,
  call: CallMade,
  before: readonly CallMade[],
  blame: Blame,
): void {
  const due = call.day ?? 0;
  const outside = isOutsideTerm(mandate, due) ? 'outside the term' : outsideWindow(rules, due, call.at);
  if (outside !== null || call.because === 'DUE_DAY_PASSED')
    blame(
      'nothing is sent outside its window',
      call.cycle,
      `${outside} ${at(call.at)}, due ${writeDay(due)}`,
    );
  const wasUnknown = before.some(
    (earlier) => earlier.what === 'send' && earlier.txid === call.txid && earlier.outcome === 'answer-lost',
  );
  if (call.because === 'CYCLE_HAS_CHARGE' || (call.because === 'TXID_IN_USE' && !wasUnknown))
    blame('one charge a cycle', call.cycle, `${call.because} ${at(call.at)}`);
  const charge = mandate.charges.find(({ txid }) => txid === call.txid);
  const isWrong =
    charge !== undefined && charge.cycle >= 0 && charge.amountCents !== scenario.amountCents(charge.cycle);
  if (isWrong || call.because === 'WRONG_AMOUNT' || call.because === 'INVALID')
    blame('the amount is as agreed', call.cycle, `${charge?.amountCents} cents ${at(call.at)}`);
}

function judgeRetry({ mandate }: Evidence, call: CallMade, before: readonly CallMade[], blame: Blame): void {
  const charge = mandate.charges.find(({ txid }) => txid === call.txid);
  if (charge === undefined || call.day === null) return;
  const break_ = (what: string) =>
    blame('retries keep to the rules', call.cycle, `${what}: for ${writeDay(call.day ?? 0)} ${at(call.at)}`);
  if (!mandate.retriesAllowed) break_('the mandate allows none');
  if (call.day <= dayOf(call.at)) break_('not a future day');
  if (call.day <= charge.due || call.day > charge.due + 7) break_('not within seven days after the due day');
  else if (call.day > lastRetryDay(mandate, charge.due)) break_('in the next cycle');
  const wasUnknown = before.some(
    (earlier) => earlier.what === 'retry' && earlier.txid === call.txid && earlier.outcome === 'answer-lost',
  );
  // Nobody tells the receiver that its bank is about to send an order again.
  const mayBeResent = dayOf(call.at) < charge.settlesOn;
  if (call.because === 'TRY_OPEN' && !wasUnknown && !mayBeResent) break_('another is open');
  if (call.because === 'DAY_TAKEN' && !wasUnknown) break_('the day has one already');
  if (call.because === 'THREE_ALREADY' && !wasUnknown) break_('there were three');
  if (call.because === null && call.outcome !== 'failed') {
    const ordered = charge.tries.filter(({ kind, day }) => kind === 'NTAG' && day <= (call.day ?? 0)).length;
    if (ordered > 3) break_('there were three');
  }
}

/** Whether the receiver could know, when it ordered a debit, that it had no right to it any more. */
function judgeRight(
  { mandate, conversation, merchantEndedAt, merchantCancelled }: Evidence,
  call: CallMade,
  blame: Blame,
): void {
  const { approvedAt } = mandate;
  const order = `${call.what} ${at(call.at)}`;
  if (approvedAt === null || call.at < approvedAt)
    blame('nothing is ordered without a mandate', call.cycle, `${order}, before the approval`);
  else if (conversation.knewEndAt !== null && call.at > conversation.knewEndAt)
    blame('nothing is ordered without a mandate', call.cycle, `${order}, known to have ended`);
  if (merchantEndedAt !== null && call.at > merchantEndedAt)
    blame('nothing is ordered without a mandate', call.cycle, `${order}, after the subscription’s end`);
  const cancelledAt = merchantCancelled?.get(call.cycle ?? -1);
  if (cancelledAt !== undefined && call.at > cancelledAt)
    blame('no debit after a cancellation', call.cycle, `${order}, the cycle was taken back`);
  const knewPaid = conversation.knewPaidOtherwise.get(call.cycle ?? -1);
  if (knewPaid !== undefined && call.at > knewPaid)
    blame('what was paid otherwise is not debited', call.cycle, `${order}, known to be paid`);
}

// ---- what was debited ----

function judgeDebits(
  { mandate, conversation, merchantEndedAt, merchantCancelled, reactsWithin = 0 }: Evidence,
  blame: Blame,
): void {
  const debited = new Set<number>();
  for (const charge of mandate.charges) {
    if (charge.pix.length === 0) continue;
    const calls = conversation.calls.filter(
      ({ what, txid }) => what === 'read' || (what === 'cancel' && txid === charge.txid),
    );
    for (const pix of charge.pix) {
      if (debited.has(charge.cycle)) blame('no cycle is debited twice', charge.cycle, at(pix.at));
      debited.add(charge.cycle);
      const accepted = calls.find(({ outcome }) => outcome === 'done' || outcome === 'answer-lost');
      if (accepted !== undefined && accepted.at < pix.at)
        blame('no debit after a cancellation', charge.cycle, `${at(pix.at)}, cancelled ${at(accepted.at)}`);
      if (mandate.endedAt !== null && dayOf(pix.at) > dayOf(mandate.endedAt) + 1)
        blame('no debit after a cancellation', charge.cycle, `${at(pix.at)}, ended ${at(mandate.endedAt)}`);
      if (merchantEndedAt !== null && couldBeStopped(charge, calls, merchantEndedAt, reactsWithin))
        blame('no debit after a cancellation', charge.cycle, `${at(pix.at)}, ended ${at(merchantEndedAt)}`);
      const taken = merchantCancelled?.get(charge.cycle);
      if (taken !== undefined && couldBeStopped(charge, calls, taken, reactsWithin))
        blame('no debit after a cancellation', charge.cycle, `${at(pix.at)}, taken back ${at(taken)}`);
      const knewPaid = conversation.knewPaidOtherwise.get(charge.cycle);
      if (knewPaid !== undefined && couldBeStopped(charge, calls, knewPaid, reactsWithin))
        blame('what was paid otherwise is not debited', charge.cycle, `${at(pix.at)}, known ${at(knewPaid)}`);
    }
  }
}

/** Whether somebody who learnt at `since` that a charge must go could have cancelled it. */
function couldBeStopped(
  charge: ChargeRecord,
  cancels: readonly CallMade[],
  since: number,
  reactsWithin: number,
): boolean {
  const last = receiverMayCancelUntil(charge.settlesOn);
  if (since + reactsWithin >= last) return false;
  const tries = cancels.filter((call) => call.at >= since && call.at <= last);
  const latest = tries.at(-1);
  if (latest === undefined || tries.some(({ outcome }) => outcome !== 'failed')) return true;
  return tries.length < TRIED_OFTEN && last - latest.at > TRIED_WITHIN;
}

// ---- how the receiver says that each cycle ended ----

function judgeOutcomes(evidence: Evidence, blame: Blame): Map<string, number> {
  const { mandate, records, scenario } = evidence;
  const outcomes = new Map<string, number>();
  for (let cycle = 0; cycle < scenario.cycles; cycle += 1) {
    const start = cycleStart(mandate.firstDay, mandate.period, cycle);
    const outcome = records.cycles.get(cycle);
    const name = outcome === undefined ? 'never begun' : nameOf(outcome);
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    const facts = factsOf(evidence, cycle, start);
    if (outcome === undefined || outcome.end === 'open') judgeUnended(facts, outcome !== undefined, blame);
    else if (outcome.end === 'paid') {
      if (facts.moneyKnownAt === null) blame('each reason is true', cycle, 'called paid, and no money came');
    } else {
      if (facts.moneyKnownAt !== null && facts.moneyKnownAt <= outcome.at)
        blame('each reason is true', cycle, `called ${name} ${at(outcome.at)}, and it was paid`);
      else if (facts.wasDebited) blame('each reason is true', cycle, `called ${name}, and it was debited`);
      else if (outcome.end === 'not-due') judgeNotDue(evidence, facts, outcome.at, blame);
      else judgeGivenUp(evidence, facts, outcome, blame);
    }
  }
  return outcomes;
}

const nameOf = (outcome: CycleOutcome) =>
  outcome.end === 'given-up' ? `given up: ${outcome.because}` : outcome.end;

interface CycleFacts {
  readonly cycle: number;
  readonly start: number;
  readonly charges: readonly ChargeRecord[];
  readonly wasDebited: boolean;
  /** When the receiver could first know of money for this cycle. */
  readonly moneyKnownAt: number | null;
  /** When the mandate or the subscription ended, whichever was first. */
  readonly endAt: number | null;
  readonly isInTerm: boolean;
}

function factsOf(
  { mandate, conversation, merchantEndedAt }: Evidence,
  cycle: number,
  start: number,
): CycleFacts {
  const charges = mandate.charges.filter((charge) => charge.cycle === cycle);
  const debit = charges.flatMap(({ pix }) => pix)[0]?.at ?? null;
  const otherwise = conversation.knewPaidOtherwise.get(cycle) ?? null;
  return {
    cycle,
    start,
    charges,
    wasDebited: debit !== null,
    moneyKnownAt: earlier(debit, otherwise),
    endAt: earlier(mandate.endedAt, merchantEndedAt),
    isInTerm: !isOutsideTerm(mandate, start),
  };
}

const earlier = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));

function judgeUnended(
  { cycle, start, charges, endAt, isInTerm }: CycleFacts,
  isKnown: boolean,
  blame: Blame,
): void {
  const neverBegan = !isInTerm || (endAt !== null && endAt < momentOn(start + 1));
  if (!isKnown && neverBegan && charges.length === 0) return;
  blame('no cycle is forgotten', cycle, isKnown ? 'still open' : 'never begun');
}

function judgeNotDue(
  { merchantCancelled }: Evidence,
  { cycle, start, endAt, isInTerm }: CycleFacts,
  saidAt: number,
  blame: Blame,
): void {
  const cancelledAt = merchantCancelled?.get(cycle) ?? Infinity;
  if (!isInTerm || cancelledAt <= saidAt) return;
  if (endAt === null || endAt > saidAt)
    blame('each reason is true', cycle, `nothing had ended ${at(saidAt)}`);
  else if (endAt > momentOn(start + 8)) blame('each reason is true', cycle, `ended only ${at(endAt)}`);
}

function judgeGivenUp(
  evidence: Evidence,
  facts: CycleFacts,
  outcome: Extract<CycleOutcome, { end: 'given-up' }>,
  blame: Blame,
): void {
  const { cycle, charges } = facts;
  const untrue = (what: string) => blame('each reason is true', cycle, `${what} ${at(outcome.at)}`);
  const endedBy = (status: ChargeRecord['status']) =>
    charges.find(
      (charge) =>
        charge.status === status &&
        charge.endedAt !== null &&
        charge.endedAt <= outcome.at &&
        charge.ending?.code === outcome.code,
    );
  if (outcome.because === 'not-sent') judgeNotSent(evidence, facts, outcome.at, blame);
  if (outcome.because === 'rejected' && endedBy('REJEITADA') === undefined) {
    const charge = charges.at(-1);
    const last = charge?.tries.at(-1);
    if (charge === undefined || last?.status !== 'REJEITADA' || last.code !== outcome.code)
      untrue(`nothing was rejected with ${outcome.code}`);
    else judgeTooSoon(evidence, charge, facts, outcome.at, blame);
  }
  if (outcome.because === 'cancelled') {
    const charge = endedBy('CANCELADA');
    if (charge === undefined) untrue(`no charge was cancelled with ${outcome.code}`);
    else if (charge.ending?.by === 'USUARIO_RECEBEDOR') untrue('the receiver itself cancelled');
  }
  if (outcome.because === 'unpaid') {
    const charge = charges.at(-1);
    const failed = charge?.tries.filter(({ endedAt }) => endedAt !== null && endedAt <= outcome.at) ?? [];
    if (charge === undefined || failed.length === 0) untrue('no try had failed');
    else if (failed.length < charge.tries.length) untrue('a try was open');
    else judgeTooSoon(evidence, charge, facts, outcome.at, blame);
  }
}

function judgeNotSent(
  { mandate, conversation }: Evidence,
  facts: CycleFacts,
  saidAt: number,
  blame: Blame,
): void {
  const { cycle, start, charges } = facts;
  if (charges.some(({ createdAt }) => createdAt <= saidAt)) {
    blame('each reason is true', cycle, `a charge was sent before ${at(saidAt)}`);
    return;
  }
  let lastDay = start - 2;
  while (outsideWindow(STRICTEST, start, momentOn(lastDay)) !== null) lastDay -= 1;
  if (saidAt <= endOf(lastDay)) blame('nothing is given up too soon', cycle, `unsent ${at(saidAt)}`);
  const { approvedAt } = mandate;
  const inTime = approvedAt !== null && approvedAt + LEARNT_WITHIN <= endOf(lastDay);
  const sends = conversation.calls.filter((call) => call.what === 'send' && call.cycle === cycle);
  if (inTime && sends.length === 0) blame('no cycle is forgotten', cycle, 'nothing was sent');
}

function judgeTooSoon(
  { mandate, scenario }: Evidence,
  charge: ChargeRecord,
  { cycle, endAt }: CycleFacts,
  saidAt: number,
  blame: Blame,
): void {
  const wasOpen = charge.endedAt === null || charge.endedAt > saidAt;
  const hadEnded = endAt !== null && endAt <= saidAt;
  if (!mandate.retriesAllowed || !wasOpen || hadEnded || retriesOf(charge) >= 3) return;
  const last = lastRetryDay(mandate, charge.due);
  const left = scenario.retryDays
    .map((days) => charge.due + days)
    .filter((day) => day > dayOf(saidAt) && day <= last && charge.tries.every((other) => other.day !== day));
  const [next] = left;
  if (next !== undefined)
    blame('nothing is given up too soon', cycle, `${at(saidAt)}, though ${writeDay(next)} was left`);
}

// ---- money ----

function judgeBooks({ mandate, records }: Evidence, blame: Blame): void {
  const booked = new Map<string, number>();
  for (const { endToEndId, amountCents } of records.books) {
    if (booked.has(endToEndId)) blame('the books equal the bank’s', null, `${endToEndId} twice`);
    booked.set(endToEndId, amountCents);
  }
  for (const { of, cycle, pix } of mandate.money) {
    const cents = booked.get(pix.endToEndId);
    if (cents !== pix.amountCents)
      blame(
        'the books equal the bank’s',
        cycle,
        `${of} ${pix.amountCents} cents, booked ${cents ?? 'nothing'}`,
      );
    booked.delete(pix.endToEndId);
  }
  for (const endToEndId of booked.keys())
    blame('the books equal the bank’s', null, `${endToEndId} never came`);
}

function codesOf({ ending, charges }: MandateRecord): Set<string> {
  const codes = [
    ending?.code,
    ...charges.map((charge) => charge.ending?.code),
    ...charges.flatMap(({ tries }) => tries.map(({ code }) => code)),
  ];
  return new Set(codes.filter((code) => code !== null && code !== undefined));
}
