import { bookListedPix } from '../payments/index.ts';
import { type AtBank, type BankReceivedPix, HOUSE_CONNECTION, storeReturnHints } from '../psp/index.ts';
import {
  type BookedPix,
  findBookedPix,
  findBookedRefunds,
  listBookedPix,
  sumBookedPix,
} from './booked-store.ts';
import {
  type BookedRefund,
  compareReturns,
  type ReturnDifference,
  sumCompletedReturns,
} from './compare-returns.ts';
import {
  type AccountDifference,
  type DayWindow,
  findItemStates,
  reportDifference,
} from './report-difference.ts';

/**
 * A return (a Pix sent back) in the bank's list is reported to the operator if we have not booked it after this long.
 */
const bookingDeadlineMs = 24 * 3_600_000;
/** How many booked Pix are read at a time. */
const pageSize = 1000;

/**
 * Compares the bank's list of the Pix received in a window, including the returns of these Pix to this day, with our
 * records. Missing Pix are booked; other differences are reported to the operator. Returns the sums of the bank's list
 * and the number of differences. The list is read page by page and not held in memory; only if the sums differ is it
 * read again, for booked Pix that the bank does not list.
 */
export async function compareReceived(deps: AtBank, window: DayWindow) {
  const listed = { count: 0, receivedCents: 0, returnedCents: 0 };
  let differences = 0;
  for await (const page of listReceivedPages(deps, window)) {
    const booked = await findOrBook(deps, page);
    const refunds = await findBookedRefunds(
      deps,
      [...booked].map(([endToEndId, { merchantId }]) => ({ endToEndId, merchantId })),
    );
    for (const pix of page) {
      // At an account of a merchant's own, a Pix that is not booked paid no charge, and is the merchant's business.
      if (deps.connection.id !== HOUSE_CONNECTION && !booked.has(pix.endToEndId)) continue;
      listed.count += 1;
      listed.receivedCents += pix.amountCents;
      listed.returnedCents += sumCompletedReturns(pix);
      differences += await comparePix(deps, window, pix, booked.get(pix.endToEndId));
      differences += await compareReturnsOf(deps, window, pix, refunds.get(pix.endToEndId) ?? []);
    }
  }
  const bookedSum = await sumBookedPix(deps, window);
  const areSumsEqual = bookedSum.count === listed.count && bookedSum.cents === listed.receivedCents;
  if (!areSumsEqual) differences += await reportUnlisted(deps, window);
  return { receivedCents: listed.receivedCents, returnedCents: listed.returnedCents, differences };
}

async function* listReceivedPages(
  deps: AtBank,
  { from, until }: DayWindow,
): AsyncGenerator<BankReceivedPix[]> {
  // The bank includes both ends of the window, but a Pix paid at `until` belongs to the next one.
  for await (const page of deps.psp.listReceivedPix(from, until))
    yield page.filter(({ paidAt }) => paidAt >= from && paidAt < until);
}

/** Returns our records of these Pix. Pix that we have not booked yet are booked first. */
async function findOrBook(deps: AtBank, page: readonly BankReceivedPix[]): Promise<Map<string, BookedPix>> {
  const ids = page.map(({ endToEndId }) => endToEndId);
  const booked = await findBookedPix(deps, ids);
  const missing = page.filter(({ endToEndId }) => !booked.has(endToEndId));
  if (missing.length === 0) return booked;
  await bookListedPix(deps, missing);
  return findBookedPix(deps, ids);
}

/** Compares a Pix with our record of it. Returns the number of differences: one or none. */
async function comparePix(
  deps: AtBank,
  { day }: DayWindow,
  { endToEndId, amountCents, txid }: BankReceivedPix,
  booked: BookedPix | undefined,
): Promise<number> {
  if (booked?.amountCents === amountCents) return 0;
  const detail =
    booked === undefined
      ? { day, differs: 'missing', at_bank: { amount_cents: amountCents, txid: txid ?? null } }
      : {
          day,
          differs: 'amount',
          at_bank: { amount_cents: amountCents },
          booked: { amount_cents: booked.amountCents },
        };
  return reportDifference(deps, {
    kind: 'received-differs',
    reference: endToEndId,
    merchantId: booked?.merchantId ?? 0,
    detail,
  });
}

/**
 * Compares the returns of a Pix with our refunds. If they differ, stores a hint, so that the returns are looked up at
 * the bank and booked. Returns the number of differences that no administrator has explained.
 */
async function compareReturnsOf(
  deps: AtBank,
  window: DayWindow,
  pix: BankReceivedPix,
  refunds: readonly BookedRefund[],
): Promise<number> {
  const differences = compareReturns(pix, refunds);
  if (differences.length === 0) return 0;
  const now = deps.clock.now();
  await storeReturnHints({ db: deps.db, now }, deps.connection.id, [pix]);
  // The refunds module may have opened an item about the same refund. Then none is opened here: an open item counts as
  // one difference, an item that an administrator has closed as none.
  const itemStates = await findItemStates(
    deps.db,
    'refund-differs',
    refunds.map(({ id }) => id),
  );
  let count = 0;
  for (const difference of differences) {
    const { atBank, booked } = difference;
    // A recent return may just not be booked yet: it counts as a difference, but is not reported.
    const isRecent = atBank !== undefined && now.getTime() - atBank.at.getTime() < bookingDeadlineMs;
    const itemState = booked && itemStates.get(booked.id);
    if (itemState === 'explained') continue;
    if (itemState === 'open' || isRecent) count += 1;
    else count += await reportDifference(deps, returnItem(window, pix, difference));
  }
  return count;
}

function returnItem(
  { day }: DayWindow,
  { endToEndId }: BankReceivedPix,
  { differs, reference, atBank, booked }: ReturnDifference,
): AccountDifference {
  return {
    kind: 'returned-differs',
    reference,
    detail: {
      day,
      differs,
      end_to_end_id: endToEndId,
      at_bank: atBank === undefined ? null : { amount_cents: atBank.amountCents, status: atBank.status },
      booked: booked === undefined ? null : { refund: booked.id, amount_cents: booked.amountCents },
    },
  };
}

/**
 * Finds the Pix that we have booked in the window but the bank does not list, and looks up each of them at the bank.
 * Reports a Pix to the operator unless the bank knows it with the same amount. Returns the number of differences.
 */
async function reportUnlisted(deps: AtBank, window: DayWindow): Promise<number> {
  const listedIds = new Set<string>();
  for await (const page of listReceivedPages(deps, window))
    for (const { endToEndId } of page) listedIds.add(endToEndId);
  let differences = 0;
  let lastId = '';
  for (;;) {
    const page = await listBookedPix(deps, window, lastId, pageSize);
    for (const { endToEndId, merchantId, amountCents } of page) {
      if (listedIds.has(endToEndId)) continue;
      const atBank = await deps.psp.findReceivedPix(endToEndId);
      if (atBank?.amountCents === amountCents) continue;
      differences += await reportDifference(deps, {
        kind: 'received-differs',
        reference: endToEndId,
        merchantId,
        detail: { day: window.day, differs: 'unlisted', booked: { amount_cents: amountCents } },
      });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return differences;
    lastId = last.endToEndId;
  }
}
