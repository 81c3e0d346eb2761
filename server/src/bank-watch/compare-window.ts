import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { bookListed, merchantOfTxid } from '../payments/index.ts';
import type { BankPayout, BankReceivedPix, PixPayouts } from '../psp/index.ts';
import { storeReturnHints } from '../psp/index.ts';
import {
  type BookedRefund,
  compareReturns,
  type ReturnDifference,
  returnedCents,
} from './compare-returns.ts';
import {
  type BookedPayout,
  type BookedPix,
  findBookedPayouts,
  findBookedPix,
  findBookedRefunds,
  findItems,
  listPaidOut,
  listReceived,
  type Progress,
  sumReceived,
} from './day-store.ts';
import { type NewOpenItem, putBeforeOperator } from './open-item.ts';

/** Part of a day, the second moment left out. */
export type Window = { readonly day: string; readonly from: Date; readonly until: Date };

export type Found = Omit<Progress, 'until' | 'startedAt'>;

/** What the bank says it gave back is booked within a day, or is put before the operator. */
const patienceMs = 24 * 3_600_000;
const pageSize = 1000;

/**
 * Holds the bank's lists of a window against our books. What is missing here is booked; whatever else differs stands
 * before the operator. Both lists are read page by page: only where their sums differ are the bank's ids kept, to find
 * what it does not list.
 */
export async function compareWindow(deps: Deps, window: Window): Promise<Found> {
  const received = await compareReceived(deps, window);
  const sent = deps.psp.payouts === undefined ? nothing : await compareSent(deps, deps.psp.payouts, window);
  return {
    receivedCents: received.receivedCents,
    returnedCents: received.returnedCents,
    sentCents: sent.sentCents,
    differences: received.differences + sent.differences,
  };
}

const nothing = { sentCents: 0, differences: 0 };

/** Answers how many differences stand: none where an administrator has explained it. */
async function report(deps: Deps, item: NewOpenItem): Promise<number> {
  const put = await inTransaction(deps, (tx) => putBeforeOperator(tx, item));
  if (put === 'opened') deps.log.error({ ...item }, "the bank's list differs from the books");
  return put === 'explained' ? 0 : 1;
}

async function compareReceived(deps: Deps, window: Window) {
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

async function* receivedPages(deps: Deps, { from, until }: Window): AsyncGenerator<BankReceivedPix[]> {
  // A bank's windows hold both their ends.
  for await (const page of deps.psp.listReceivedPix(from, until))
    yield page.filter(({ paidAt }) => paidAt >= from && paidAt < until);
}

/** What we booked of these Pix; what was missing is booked first. */
async function bookedOf(deps: Deps, page: readonly BankReceivedPix[]): Promise<Map<string, BookedPix>> {
  const ids = page.map(({ endToEndId }) => endToEndId);
  const booked = await findBookedPix(deps.db, ids);
  const missing = page.filter(({ endToEndId }) => !booked.has(endToEndId));
  if (missing.length === 0) return booked;
  await bookListed(deps, missing);
  return findBookedPix(deps.db, ids);
}

/** Answers how many differences there are: one or none. */
async function comparePix(
  deps: Deps,
  { day }: Window,
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
  return report(deps, {
    kind: 'received-differs',
    reference: endToEndId,
    merchantId: booked?.merchantId ?? 0,
    detail,
  });
}

async function compareReturnsOf(
  deps: Deps,
  window: Window,
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
    else standing += isFresh ? 1 : await report(deps, returnItem(window, pix, difference));
  }
  return standing;
}

function returnItem(
  { day }: Window,
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

/** What we booked in the window and the bank does not list in it: asked for one by one, and put before the operator. */
async function findUnlisted(deps: Deps, window: Window): Promise<number> {
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
      differences += await report(deps, {
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

async function compareSent(deps: Deps, payouts: PixPayouts, window: Window) {
  const { from, until } = window;
  const listed = new Set<string>();
  const seen = { sentCents: 0, differences: 0 };
  for await (const page of payouts.listPayouts(from, until)) {
    const within = page.filter(({ requestedAt = from }) => requestedAt >= from && requestedAt < until);
    const booked = await findBookedPayouts(deps.db, within.flatMap(nameOf));
    for (const payout of within) {
      listed.add(payout.idEnvio);
      if (payout.status === 'completed') seen.sentCents += payout.amountCents;
      seen.differences += await comparePayout(deps, window, payout, booked.get(payout.idEnvio));
    }
  }
  for (const booked of await listPaidOut(deps.db, window)) {
    if (listed.has(booked.idEnvio)) continue;
    const payout = await payouts.findPayout(booked.idEnvio);
    if (payout?.status === 'completed') continue;
    seen.differences += await reportPayout(deps, window, 'unlisted', booked.idEnvio, payout, booked);
  }
  return seen;
}

function nameOf({ idEnvio }: BankPayout) {
  const merchantId = merchantOfTxid(idEnvio);
  return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
}

async function comparePayout(
  deps: Deps,
  window: Window,
  payout: BankPayout,
  booked: BookedPayout | undefined,
): Promise<number> {
  const differs = payoutDifference(payout, booked);
  return differs === undefined ? 0 : reportPayout(deps, window, differs, payout.idEnvio, payout, booked);
}

/** What is still under way, at the bank or here, is no difference yet. What did not leave after all harmed nobody. */
function payoutDifference(payout: BankPayout, booked: BookedPayout | undefined): string | undefined {
  if (booked === undefined) return payout.status === 'refused' ? undefined : 'unknown';
  if (payout.amountCents !== booked.cents) return 'amount';
  if (payout.status === 'processing' || booked.status === 'processing') return undefined;
  if ((payout.status === 'completed') !== (booked.completedAt !== null)) return 'status';
  const cameBack = payout.returned.reduce((sum, one) => sum + one.amountCents, 0);
  return cameBack === booked.returnedCents ? undefined : 'returned';
}

/** Whoever sends withdrawals may have put it before the operator already. */
async function reportPayout(
  deps: Deps,
  { day }: Window,
  differs: string,
  idEnvio: string,
  payout: BankPayout | undefined,
  booked: BookedPayout | undefined,
): Promise<number> {
  const told =
    booked === undefined
      ? await findItems(deps.db, 'payout-not-debited', [idEnvio])
      : await findItems(deps.db, 'withdrawal-differs', [booked.id]);
  const [known] = told.values();
  if (known !== undefined) return known === 'standing' ? 1 : 0;
  return report(deps, {
    kind: 'sent-differs',
    reference: idEnvio,
    merchantId: booked?.merchantId ?? 0,
    detail: {
      day,
      differs,
      at_bank:
        payout === undefined
          ? null
          : {
              amount_cents: payout.amountCents,
              status: payout.status,
              came_back_cents: payout.returned.reduce((sum, one) => sum + one.amountCents, 0),
            },
      booked:
        booked === undefined
          ? null
          : {
              withdrawal: booked.id,
              amount_cents: booked.cents,
              status: booked.status,
              came_back_cents: booked.returnedCents,
            },
    },
  });
}
