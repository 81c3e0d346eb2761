import { RETURN_DAYS } from '@jangada/contract';
import { sql } from 'kysely';
import pMap from 'p-map';
import { findBookedPix, findBookedRefunds, readSetupTime } from '../bank-watch/index.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { type AtBank, type BankReceivedPix, HOUSE_CONNECTION } from '../psp/index.ts';
import { bookReturnsOfPix } from './book-returns-of-pix.ts';

const dayMs = 24 * 3_600_000;
const maxConcurrentLookUps = 4;
/** What a failover lost of the books is younger than this, so the last days count even if the books have no movement then. */
const recentDays = 3;

/**
 * Reads which Pix of the last 90 days an account's bank returned, and books the returns for which we have no refund.
 * Needed after a failover: a refund that was sent may be missing from our database, and must not be sent again. Returns
 * whether all were booked.
 */
export async function bookUnknownReturns(deps: AtBank): Promise<boolean> {
  const endMs = deps.clock.now().getTime();
  const beginningMs = (await readSetupTime(deps.db))?.getTime() ?? endMs;
  const movedDays = await readMovedDays(deps, new Date(endMs - (RETURN_DAYS + 2) * dayMs));
  let areAllBooked = true;
  // One window per day, because banks reject windows that are too wide. The extra day is a margin for Pix that were
  // returned on the last possible day.
  for (
    let untilMs = endMs;
    untilMs > Math.max(beginningMs, endMs - (RETURN_DAYS + 1) * dayMs);
    untilMs -= dayMs
  ) {
    const isRecent = untilMs > endMs - recentDays * dayMs;
    const days = [untilMs - dayMs, untilMs].map((ms) => calendarDayOf(new Date(ms)));
    if (!isRecent && movedDays !== undefined && !days.some((day) => movedDays.has(day))) continue;
    const pages = deps.psp.listReceivedPix(new Date(untilMs - dayMs), new Date(untilMs), 'returned');
    for await (const page of pages) {
      const endToEndIds = await findWithUnknownReturns(deps, page);
      const areBooked = await pMap(endToEndIds, (endToEndId) => bookReturnsOfPix(deps, endToEndId), {
        concurrency: maxConcurrentLookUps,
      });
      areAllBooked &&= !areBooked.includes(false);
    }
  }
  return areAllBooked;
}

/**
 * Returns the days since then on which something moved in the books of a merchant's own account: only a Pix of such a day
 * can be returned. Most accounts have few, and there may be a thousand accounts. Undefined for the operator's own account,
 * at which every day counts.
 */
async function readMovedDays({ db, connection }: AtBank, since: Date): Promise<Set<string> | undefined> {
  const { id } = connection;
  if (id === HOUSE_CONNECTION) return undefined;
  const owner = await db
    .selectFrom('bank_connections')
    .select('merchant_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (owner === undefined) return undefined;
  const { rows } = await sql<{ day: string }>`
    select day::text as day from ledger_days
    where merchant_id = ${owner.merchant_id} and connection_id = ${id} and day >= ${calendarDayOf(since)}::date
  `.execute(db);
  return new Set(rows.map(({ day }) => day));
}

/**
 * Returns the ids of the Pix in our books of which the bank lists a pending or completed return that none of our
 * refunds matches.
 */
async function findWithUnknownReturns(deps: AtBank, page: readonly BankReceivedPix[]): Promise<string[]> {
  const bookedPix = await findBookedPix(
    deps,
    page.map(({ endToEndId }) => endToEndId),
  );
  const refunds = await findBookedRefunds(
    deps,
    [...bookedPix].map(([endToEndId, { merchantId }]) => ({ endToEndId, merchantId })),
  );
  return page
    .filter(({ endToEndId }) => bookedPix.has(endToEndId))
    .filter(({ endToEndId, returns }) =>
      returns.some(
        ({ refundId, status }) =>
          status !== 'refused' &&
          !refunds.get(endToEndId)?.some(({ bankRefundId }) => bankRefundId === refundId),
      ),
    )
    .map(({ endToEndId }) => endToEndId);
}
