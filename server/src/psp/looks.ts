// What is looked at again and again at a merchant's own account: the bank's lists, and its address for notices. The time
// of the next look stands in the table `bank_looks`, so accounts at rest cost no calls and no statements. The operator's
// own account has no rows: each turn looks at it.
import { sql } from 'kysely';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import type { Tx, TxOrDb } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type AtBank, type Banks, HOUSE_CONNECTION } from './bank.ts';
import { type BankWork, FAILED_AT_BANK, findBusyBanks, takeTurn } from './bank-turns.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * How often each kind of look is made. `activeMs`: while something is expected at the account, as often as at the
 * operator's own. `idleMs`: while nothing is expected.
 */
const intervals = {
  /** The list of received Pix. */
  received: { activeMs: 20_000, idleMs: hourMs },
  /** The list of sent Pix. */
  sent: { activeMs: 30_000, idleMs: dayMs },
  /** The list of disputes, which also come by callbacks. */
  disputes: { activeMs: minuteMs, idleMs: hourMs },
  /** The comparison of past days with our records; its next look follows from the time of day. */
  days: { activeMs: minuteMs, idleMs: dayMs },
  /** The looks that are made once a day in any case. */
  daily: { activeMs: dayMs, idleMs: dayMs },
} as const;

export type LookKind = keyof typeof intervals;
const lookKinds = Object.keys(intervals) as LookKind[];

/** How many accounts are leased at once, and how often at most in one turn. The others remain due. */
const maxPerLease = 200;
const maxLeasesPerTurn = 10;
/** The lease: how long no other process looks. After a crash or a loss of the account, the look is due again. */
const leaseMs = 10 * minuteMs;
/** A failed look is repeated after this long, doubling up to `maxRetryMs`. */
const firstRetryMs = 20_000;
const maxRetryMs = 10 * minuteMs;
/** When something becomes expected at an idle account, its lists are first read after this long. */
const soonMs = 20_000;
/** No look is due later than this, so a later one dates from before the clock was set back. */
const maxAheadMs = 3 * dayMs;

/** What a process knows about the rows, to write no more often than needed. */
type Known = {
  /** The connections whose rows exist. */
  readonly ids: Set<number>;
  /** Up to when something is expected, by connection and kinds of look. */
  readonly activeUntilMs: Map<string, number>;
};
const knownByBanks = new WeakMap<Banks, Known>();

function knownOf(banks: Banks): Known {
  const known = knownByBanks.get(banks) ?? { ids: new Set(), activeUntilMs: new Map() };
  knownByBanks.set(banks, known);
  return known;
}

/**
 * Makes a look at the operator's own account, and at those own accounts of merchants whose look is due, or that
 * `hintedIds` names. One bank delays no other (`takeTurn`). Returns how many items were processed.
 */
export async function lookInTurn(
  deps: Deps,
  kind: LookKind,
  work: BankWork,
  hintedIds: readonly number[] = [],
): Promise<number> {
  let ids = [HOUSE_CONNECTION, ...hintedIds];
  let processedCount = 0;
  for (let leases = 1; ; leases += 1) {
    const due = deps.banks.all().length === 1 ? new Map<number, Date>() : await leaseDueLooks(deps, kind);
    const lookedAtIds = [...new Set([...ids, ...due.keys()])];
    const lookAt: BankWork = (bank) => look(bank, { kind, work, due });
    processedCount += await takeTurn(deps, workNameOf(kind), lookAt, lookedAtIds);
    if (due.size < maxPerLease || leases === maxLeasesPerTurn) return processedCount;
    ids = [];
  }
}

const workNameOf = (kind: LookKind) => `look: ${kind}`;

type Look = { readonly kind: LookKind; readonly work: BankWork; readonly due: ReadonlyMap<number, Date> };

async function look(bank: AtBank, { kind, work, due }: Look): Promise<number> {
  const { id } = bank.connection;
  const leasedUntil = due.get(id);
  try {
    const processedCount = await work(bank);
    if (leasedUntil !== undefined) await finishLook(bank, { id, kind, leasedUntil }, processedCount);
    return processedCount;
  } catch (error) {
    if (leasedUntil === undefined || isDatabaseOutage(error)) throw error;
    // The table says when the next look is made, so the turn need not pause the bank.
    const failures = await postponeLook(bank, { id, kind, leasedUntil });
    bank.log.error({ err: error, loop: workNameOf(kind), connectionId: id, failures }, FAILED_AT_BANK);
    return 0;
  }
}

/** Leases due looks of one kind, and returns until when, by connection. */
async function leaseDueLooks(deps: Deps, kind: LookKind): Promise<Map<number, Date>> {
  const { db, clock, banks } = deps;
  const now = clock.now();
  await insertMissingLooks({ db, now }, banks);
  const busyIds = findBusyBanks(deps, workNameOf(kind));
  const leasedUntil = addMs(now, leaseMs);
  const { rows } = await sql<{ id: number }>`
    with due as (
      select connection_id from bank_looks
      where kind = ${kind} and (due_at <= ${now} or due_at > ${addMs(now, maxAheadMs)})
        and connection_id <> all(${busyIds}::integer[])
      order by due_at limit ${maxPerLease}
      for update skip locked
    )
    update bank_looks set due_at = ${leasedUntil}
    from due where bank_looks.connection_id = due.connection_id and kind = ${kind}
    returning bank_looks.connection_id as id
  `.execute(db);
  return new Map(rows.map(({ id }) => [id, leasedUntil]));
}

/** Inserts the rows of accounts that this process sees for the first time, all looks of which are due. */
async function insertMissingLooks({ db, now }: TxOrDb, banks: Banks): Promise<void> {
  const known = knownOf(banks);
  const newIds = banks
    .all()
    .map(({ connection }) => connection.id)
    .filter((id) => id !== HOUSE_CONNECTION && !known.ids.has(id));
  if (newIds.length === 0) return;
  await sql`
    insert into bank_looks (connection_id, kind, due_at)
    select connection_id, kind, ${now}
    from unnest(${newIds}::integer[]) connection_id cross join unnest(${lookKinds}::text[]) kind
    on conflict do nothing
  `.execute(db);
  for (const id of newIds) known.ids.add(id);
}

type LeasedLook = { readonly id: number; readonly kind: LookKind; readonly leasedUntil: Date };

/**
 * Sets the time of the next look, which follows at once if a comparison of days may have more to do. A look that was
 * made due meanwhile stays due.
 */
async function finishLook(
  { db, clock }: AtBank,
  { id, kind, leasedUntil }: LeasedLook,
  processedCount: number,
): Promise<void> {
  const now = clock.now();
  const { activeMs, idleMs } = intervals[kind];
  const isUnfinished = kind === 'days' && processedCount > 0;
  const idleUntil = kind === 'days' ? nextNight(now, id) : addMs(now, idleMs);
  const activeUntil = kind === 'days' ? idleUntil : addMs(now, activeMs);
  await sql`
    update bank_looks
    set failures = 0,
        due_at = case when ${isUnfinished} then ${now}::timestamptz
                      when active_until > ${now} then ${activeUntil}::timestamptz
                      else ${idleUntil}::timestamptz end
    where connection_id = ${id} and kind = ${kind} and due_at = ${leasedUntil}
  `.execute(db);
}

/** A day is compared after three o'clock of the next morning; each account some minutes after the one before it. */
function nextNight(now: Date, connectionId: number): Date {
  const ofDay = (day: string) => addMs(startOfDay(day), 3 * hourMs + ((connectionId % 100) + 1) * minuteMs);
  const today = calendarDayOf(now);
  return ofDay(today) > now ? ofDay(today) : ofDay(daysAfter(today, 1));
}

/** Returns how many looks in a row have failed; undefined if the look was made due meanwhile. */
async function postponeLook(
  { db, clock }: AtBank,
  { id, kind, leasedUntil }: LeasedLook,
): Promise<number | undefined> {
  const { rows } = await sql<{ failures: number }>`
    update bank_looks
    set failures = failures + 1,
        due_at = ${clock.now()}::timestamptz
          + least(${firstRetryMs} * power(2, least(failures, 10)), ${maxRetryMs}) * interval '1 millisecond'
    where connection_id = ${id} and kind = ${kind} and due_at = ${leasedUntil}
    returning failures
  `.execute(db);
  return rows[0]?.failures;
}

/**
 * Has accounts looked at often until this time, because a payment or an answer is expected there: the first time soon,
 * then as often as the operator's own. Writes only when this process has not written about the same time before.
 */
export async function expectAt(
  { db, clock, banks }: Pick<Deps, 'db' | 'clock' | 'banks'>,
  connectionIds: readonly number[],
  kinds: readonly LookKind[],
  until: Date,
): Promise<void> {
  const { activeUntilMs } = knownOf(banks);
  const keyOf = (id: number) => `${id} ${kinds.join()}`;
  const now = clock.now();
  const unknownIds = connectionIds.filter((id) => {
    const knownMs = activeUntilMs.get(keyOf(id)) ?? 0;
    // A known time that has passed may be that of an account that was idle since.
    const isKnown = knownMs > now.getTime() && knownMs >= until.getTime();
    return id !== HOUSE_CONNECTION && !isKnown;
  });
  if (unknownIds.length === 0) return;
  // Rounded up, so that a charge a second is one write in ten minutes.
  const stretchMs = 10 * minuteMs;
  const activeUntil = new Date((Math.floor(until.getTime() / stretchMs) + 1) * stretchMs);
  await sql`
    insert into bank_looks (connection_id, kind, due_at, active_until)
    select connection_id, kind, ${addMs(now, soonMs)}, ${activeUntil}
    from unnest(${[...new Set(unknownIds)]}::integer[]) connection_id cross join unnest(${[...kinds]}::text[]) kind
    order by connection_id, kind
    on conflict (connection_id, kind) do update
    set due_at = least(bank_looks.due_at, excluded.due_at),
        active_until = greatest(bank_looks.active_until, excluded.active_until)
  `.execute(db);
  for (const id of unknownIds) activeUntilMs.set(keyOf(id), activeUntil.getTime());
}

/** Forgets the looks of an account that is no longer in use. */
export async function deleteLooks(tx: Tx, connectionId: number): Promise<void> {
  await tx.db.deleteFrom('bank_looks').where('connection_id', '=', connectionId).execute();
}
