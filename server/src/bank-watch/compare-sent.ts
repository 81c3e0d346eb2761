import { merchantIdFromIdEnvio } from '../payments/index.ts';
import type { AtBank, BankPayout, PixPayouts } from '../psp/index.ts';
import { type BookedPayout, findBookedPayouts, listCompletedPayouts } from './booked-store.ts';
import { isBusinessOfMerchant } from './foreign-payout.ts';
import { type DayWindow, findItemStates, reportDifference } from './report-difference.ts';

/**
 * Compares the bank's list of Pix sent in a window with our withdrawals, and reports differences to the operator.
 * Returns the sum of the bank's list and the number of differences.
 */
export async function compareSent(deps: AtBank, payouts: PixPayouts, window: DayWindow) {
  const { from, until } = window;
  const listedIds = new Set<string>();
  const result = { sentCents: 0, differences: 0 };
  for await (const page of payouts.listPayouts(from, until)) {
    // The bank includes both ends of the window. A Pix without a time counts as inside.
    const payoutsInWindow = page.filter(
      ({ requestedAt = from }) => requestedAt >= from && requestedAt < until,
    );
    const bookedPayouts = await findBookedPayouts(deps, payoutsInWindow.flatMap(orderKey));
    for (const payout of payoutsInWindow) {
      listedIds.add(payout.idEnvio);
      const booked = bookedPayouts.get(payout.idEnvio);
      if (booked === undefined && (await isBusinessOfMerchant(deps, payout))) continue;
      if (payout.status === 'completed') result.sentCents += payout.amountCents;
      result.differences += await comparePayout(deps, window, payout, booked);
    }
  }
  for (const booked of await listCompletedPayouts(deps, window)) {
    if (listedIds.has(booked.idEnvio)) continue;
    const payout = await payouts.findPayout(booked.idEnvio);
    if (payout?.status === 'completed') continue;
    result.differences += await reportPayout(deps, window, 'unlisted', booked.idEnvio, payout, booked);
  }
  return result;
}

/**
 * The key under which a payout's withdrawal is booked. Empty if the payout's idEnvio, the id of the order at the bank,
 * cannot be one of ours.
 */
function orderKey({ idEnvio }: BankPayout) {
  const merchantId = merchantIdFromIdEnvio(idEnvio);
  return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
}

async function comparePayout(
  deps: AtBank,
  window: DayWindow,
  payout: BankPayout,
  booked: BookedPayout | undefined,
): Promise<number> {
  const differs = payoutDifference(payout, booked);
  return differs === undefined ? 0 : reportPayout(deps, window, differs, payout.idEnvio, payout, booked);
}

/**
 * Returns how a payout differs from our record: `unknown` if we have no record, otherwise the field that differs. A
 * payout that is still processing at the bank or in our records is no difference yet. A refused payout without a record
 * is no difference either, because it moved no money.
 */
function payoutDifference(payout: BankPayout, booked: BookedPayout | undefined): string | undefined {
  if (booked === undefined) return payout.status === 'refused' ? undefined : 'unknown';
  if (payout.amountCents !== booked.netCents) return 'amount';
  if (payout.status === 'processing' || booked.status === 'processing') return undefined;
  if ((payout.status === 'completed') !== (booked.completedAt !== null)) return 'status';
  return sumPayoutReturns(payout) === booked.returnedCents ? undefined : 'returned';
}

function sumPayoutReturns({ returned }: BankPayout): number {
  return returned.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/**
 * Reports a payout to the operator, unless the withdrawals module has already opened an item about it. Returns the
 * number of differences: 1, or 0 if an administrator has closed the item.
 */
async function reportPayout(
  deps: AtBank,
  { day }: DayWindow,
  differs: string,
  idEnvio: string,
  payout: BankPayout | undefined,
  booked: BookedPayout | undefined,
): Promise<number> {
  const itemStates =
    booked === undefined
      ? await findItemStates(deps.db, 'payout-not-debited', [idEnvio], deps.connection.id)
      : await findItemStates(deps.db, 'withdrawal-differs', [booked.id]);
  const [itemState] = itemStates.values();
  if (itemState !== undefined) return itemState === 'open' ? 1 : 0;
  return reportDifference(deps, {
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
              came_back_cents: sumPayoutReturns(payout),
            },
      booked:
        booked === undefined
          ? null
          : {
              withdrawal: booked.id,
              amount_cents: booked.netCents,
              status: booked.status,
              came_back_cents: booked.returnedCents,
            },
    },
  });
}
