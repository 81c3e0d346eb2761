import type { Deps } from '../deps.ts';
import { bookListed } from '../payments/index.ts';
import { type BankReceivedPix, storeReturnHints } from '../psp/index.ts';
import {
  type BookedPix,
  findBookedPix,
  findBookedRefunds,
  listReceived,
  sumReceived,
} from './booked-store.ts';
import {
  type BookedRefund,
  compareReturns,
  type ReturnDifference,
  returnedCents,
} from './compare-returns.ts';
import type { NewOpenItem } from './open-item.ts';
import type { DayWindow } from './report-difference.ts';
import { findItems, reportDifference } from './report-difference.ts';

/** A return reported by the bank must be booked within a day, or it goes to the operator. */
const patienceMs = 24 * 3_600_000;
const pageSize = 1000;

/** Compares Pix received in a window, and their returns since. */
export async function compareReceived(deps: Deps, window: DayWindow) {
  const seen = { count: 0, receivedCents: 0, returnedCents: 0, differences: 0 };
  for await (const page of receivedPages(deps, window)) {
    const booked = await bookedOf(deps, page);
    const refunds = await findBookedRefunds(
      deps.db,
      [...booked].map(([endToEndId, { merchantId }]) => ({ endToEndId, merchantId })),
    );
    for (const pix of page) {
      seen.count += 1;
      seen.receivedCents += pix.amountCents;
      seen.returnedCents += returnedCents(pix);
      seen.differences += await comparePix(deps, window, pix, booked.get(pix.endToEndId));
      seen.differences += await compareReturnsOf(deps, window, pix, refunds.get(pix.endToEndId) ?? []);
    }
  }
  const ours = await sumReceived(deps.db, window);
  const same = ours.count === seen.count && ours.cents === seen.receivedCents;
  return { ...seen, differences: seen.differences + (same ? 0 : await findUnlisted(deps, window)) };
}

async function* receivedPages(deps: Deps, { from, until }: DayWindow): AsyncGenerator<BankReceivedPix[]> {
  // Both ends of a bank's window are inclusive.
  for await (const page of deps.psp.listReceivedPix(from, until))
    yield page.filter(({ paidAt }) => paidAt >= from && paidAt < until);
}

/** The booked entries of these Pix; missing ones are booked first. */
async function bookedOf(deps: Deps, page: readonly BankReceivedPix[]): Promise<Map<string, BookedPix>> {
  const ids = page.map(({ endToEndId }) => endToEndId);
  const booked = await findBookedPix(deps.db, ids);
  const missing = page.filter(({ endToEndId }) => !booked.has(endToEndId));
  if (missing.length === 0) return booked;
  await bookListed(deps, missing);
  return findBookedPix(deps.db, ids);
}

/** Returns the number of differences: one or none. */
async function comparePix(
  deps: Deps,
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

async function compareReturnsOf(
  deps: Deps,
  window: DayWindow,
  pix: BankReceivedPix,
  refunds: readonly BookedRefund[],
): Promise<number> {
  const differences = compareReturns(pix, refunds);
  if (differences.length === 0) return 0;
  const now = deps.clock.now();
  await storeReturnHints({ db: deps.db, now }, [pix]);
  const told = await findItems(
    deps.db,
    'refund-differs',
    refunds.map(({ id }) => id),
  );
  let standing = 0;
  for (const difference of differences) {
    const { atBank, booked } = difference;
    const isFresh = atBank !== undefined && now.getTime() - atBank.at.getTime() < patienceMs;
    const known = booked && told.get(booked.id);
    if (known !== undefined) standing += known === 'standing' ? 1 : 0;
    else standing += isFresh ? 1 : await reportDifference(deps, returnItem(window, pix, difference));
  }
  return standing;
}

function returnItem(
  { day }: DayWindow,
  { endToEndId }: BankReceivedPix,
  { differs, name, atBank, booked }: ReturnDifference,
): NewOpenItem {
  return {
    kind: 'returned-differs',
    reference: name,
    detail: {
      day,
      differs,
      end_to_end_id: endToEndId,
      at_bank: atBank === undefined ? null : { amount_cents: atBank.amountCents, status: atBank.status },
      booked: booked === undefined ? null : { refund: booked.id, amount_cents: booked.amountCents },
    },
  };
}

/** Pix booked in the window that the bank does not list: looked up one by one and reported to the operator. */
async function findUnlisted(deps: Deps, window: DayWindow): Promise<number> {
  const listed = new Set<string>();
  for await (const page of receivedPages(deps, window))
    for (const { endToEndId } of page) listed.add(endToEndId);
  let differences = 0;
  let behind = '';
  for (;;) {
    const page = await listReceived(deps.db, window, behind, pageSize);
    for (const { endToEndId, merchantId, amountCents } of page) {
      if (listed.has(endToEndId)) continue;
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
    behind = last.endToEndId;
  }
}
