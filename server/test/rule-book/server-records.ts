import { calendarDayOf } from '../../src/calendar-day.ts';
import type { Db } from '../../src/db/pool.ts';
import { auditLedger } from '../../src/ledger/index.ts';
import type { AtBank } from '../../src/psp/index.ts';
import type { NextStep } from '../../src/subscriptions/next-step.ts';
import { firstCycleInTime } from '../../src/subscriptions/work-mandates.ts';
import type { MandateRecord } from './bank-records.ts';
import { MINUTE } from './calendar.ts';
import { givenUp, outcomeOf, PERIODS } from './engine-words.ts';
import type { Conversation } from './faults.ts';
import type { CycleOutcome, ReceiverRecords } from './receiver.ts';
import type { CodeBank, ServerBank } from './server-bank.ts';
import type { ServerPlayer } from './server-machine.ts';

/** How a cycle ended by the server's records, and when that was first read there. */
export interface EndedCycle {
  readonly status: string;
  readonly reason: string | null;
  readonly code: string | null;
  readonly at: number;
}

type Reason = Extract<NextStep, { step: 'give-up' }>['reason'];

/** The server's records of a subscription, in the judge's words. */
export async function recordsOf(
  db: Db,
  { id, scenario, ended }: ServerPlayer,
  mandate: MandateRecord,
  conversation: Conversation,
): Promise<ReceiverRecords> {
  const cycles = new Map<number, CycleOutcome>();
  const subscription = await db
    .selectFrom('subscriptions')
    .select(['ended_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const activated = await db
    .selectFrom('events')
    .select('created_at')
    .where('subject_id', '=', id)
    .where('type', '=', 'mandate.approved')
    .executeTakeFirst();
  // What fell due before an approval was known has no row. The server works on a notice within a minute, and that may be
  // the next day.
  const toldAt = conversation.knewApprovalAt ?? undefined;
  const activatedAt = activated?.created_at.getTime();
  const isWorkedOn = toldAt !== undefined && activatedAt !== undefined && activatedAt - toldAt <= MINUTE;
  const knownAt = isWorkedOn ? activatedAt : (toldAt ?? subscription.ended_at?.getTime());
  const { firstDay, period } = scenario.terms;
  if (knownAt !== undefined) {
    const first = firstCycleInTime({ firstDay, period: PERIODS[period] }, calendarDayOf(new Date(knownAt)));
    for (let early = 1; early < first; early += 1) cycles.set(early - 1, givenUp('not-sent', null, knownAt));
  }
  const rows = await db
    .selectFrom('cycles')
    .leftJoin('charges', 'charges.id', 'cycles.charge_id')
    .select(['cycles.number', 'cycles.status', 'charges.txid'])
    .where('cycles.subscription_id', '=', id)
    .execute();
  for (const { number, status, txid } of rows) {
    const known = ended.get(number);
    const isAtBank = mandate.charges.some((charge) => charge.txid === txid);
    cycles.set(number - 1, known?.status === status ? outcomeFrom(known, isAtBank) : { end: 'open' });
  }
  const booked = await db
    .selectFrom('received_pix')
    .innerJoin('charges', 'charges.id', 'received_pix.charge_id')
    .select(['received_pix.end_to_end_id', 'received_pix.amount_cents', 'received_pix.paid_at'])
    .where('charges.subscription_id', '=', id)
    .where('received_pix.outcome', '=', 'credited')
    .execute();
  const books = booked.map(({ end_to_end_id, amount_cents, paid_at }) => ({
    endToEndId: end_to_end_id,
    amountCents: amount_cents,
    at: paid_at.getTime(),
  }));
  return { cycles, books };
}

function outcomeFrom({ status, reason, code, at }: EndedCycle, isAtBank: boolean): CycleOutcome {
  if (status === 'paid') return { end: 'paid' };
  // The bank refused to take it at all.
  if (status === 'given_up' && reason === 'refused' && !isAtBank) return givenUp('not-sent', null, at);
  const step = status === 'given_up' ? ('give-up' as const) : ('close' as const);
  return outcomeOf({ step, reason: reason as Reason, code: code ?? undefined }, at);
}

/** Looks for what is wrong with the money, and with what only a whole server has. */
export async function complaintsAbout(
  deps: AtBank,
  players: readonly ServerPlayer[],
  server: ServerBank,
  bank: CodeBank,
): Promise<string[]> {
  const complaints = [];
  const received = new Map<number, number>();
  for (const { merchantId, contract, agreed, scenario } of players) {
    const made = server.madeFor(contract);
    if (made.length > 1)
      complaints.push(`${made.map(({ idRec }) => idRec)}: two mandates of one subscription`);
    for (const { idRec } of made) {
      const { money } = bank.record(idRec);
      const kept = ({ pix }: (typeof money)[number]) =>
        pix.amountCents - server.returnedCents(pix.endToEndId);
      const sum = money.reduce((total, one) => total + kept(one), 0);
      received.set(merchantId, (received.get(merchantId) ?? 0) + sum);
      for (const [cycle, ofCycle] of Map.groupBy(money, (one) => one.cycle)) {
        if (cycle === null) continue;
        const keptCents = ofCycle.reduce((total, one) => total + kept(one), 0);
        const owedCents = agreed.get(cycle) ?? scenario.amountCents(cycle);
        if (keptCents !== owedCents)
          complaints.push(
            `${idRec}, cycle ${cycle}: ${ofCycle.length} payments, kept ${keptCents} cents of ${owedCents}`,
          );
      }
    }
  }
  const rows = await deps.db
    .selectFrom('ledger_entries')
    .select(({ fn }) => ['merchant_id', fn.sum<number>('psp_cents').as('cents')])
    .groupBy('merchant_id')
    .execute();
  const booked = new Map(rows.map(({ merchant_id, cents }) => [merchant_id, -cents]));
  for (const id of new Set([...received.keys(), ...booked.keys()]))
    if ((received.get(id) ?? 0) !== Number(booked.get(id) ?? 0))
      complaints.push(`account ${id}: received ${received.get(id)} cents, booked ${booked.get(id)}`);
  for (const difference of await auditLedger(deps.db)) complaints.push(JSON.stringify(difference));
  return complaints;
}
