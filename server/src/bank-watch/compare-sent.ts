import type { Deps } from '../deps.ts';
import { merchantOfTxid } from '../payments/index.ts';
import type { BankPayout, PixPayouts } from '../psp/index.ts';
import { type BookedPayout, findBookedPayouts, listPaidOut } from './booked-store.ts';
import type { DayWindow } from './report-difference.ts';
import { findItems, reportDifference } from './report-difference.ts';

/** Compares Pix sent in a window. */
export async function compareSent(deps: Deps, payouts: PixPayouts, window: DayWindow) {
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
  window: DayWindow,
  payout: BankPayout,
  booked: BookedPayout | undefined,
): Promise<number> {
  const differs = payoutDifference(payout, booked);
  return differs === undefined ? 0 : reportPayout(deps, window, differs, payout.idEnvio, payout, booked);
}

/** A payout pending at the bank or here is no difference yet. A refused one that we did not book moved no money. */
function payoutDifference(payout: BankPayout, booked: BookedPayout | undefined): string | undefined {
  if (booked === undefined) return payout.status === 'refused' ? undefined : 'unknown';
  if (payout.amountCents !== booked.cents) return 'amount';
  if (payout.status === 'processing' || booked.status === 'processing') return undefined;
  if ((payout.status === 'completed') !== (booked.completedAt !== null)) return 'status';
  const cameBack = payout.returned.reduce((sum, one) => sum + one.amountCents, 0);
  return cameBack === booked.returnedCents ? undefined : 'returned';
}

/** Sending or reconciliation may have opened an item for it already. */
async function reportPayout(
  deps: Deps,
  { day }: DayWindow,
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
