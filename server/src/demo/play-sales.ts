import { randomUUID } from 'node:crypto';
import { brlFromCents } from '@jangada/contract';
import { z } from 'zod';
import type { StoredCounterCode } from '../counter-codes/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { payLink, type StoredPaymentLink } from '../payment-links/index.ts';
import {
  type Charge,
  createPayment,
  expireCharges,
  PANEL,
  READABLE_KEY,
  settleReceived,
} from '../payments/index.ts';
import { askBank, goOnTo, type Past } from './past.ts';
import type { Sale } from './plan-sales.ts';

/** A merchant whose sales are played. */
export type Shop = {
  readonly merchantId: number;
  readonly links?: readonly StoredPaymentLink[];
  readonly counters?: readonly StoredCounterCode[];
  /** When unpaid charges expire, oldest first. */
  readonly unpaid: Date[];
};

/** A paid sale. */
export type Sold = {
  readonly sale: Sale;
  readonly endToEndId: string;
  readonly chargeId: string | undefined;
};

/** Sales within this time are created and booked together; it is shorter than the lifetime of a charge. */
const togetherMs = 15 * 60_000;

/** Groups sales that follow one another closely. */
export function lotsOf(sales: readonly Sale[]): Sale[][] {
  const lots: Sale[][] = [];
  for (const sale of sales) {
    const lot = lots.at(-1);
    const begin = lot?.[0]?.at.getTime() ?? 0;
    if (lot !== undefined && sale.at.getTime() - begin < togetherMs) lot.push(sale);
    else lots.push([sale]);
  }
  return lots;
}

/** Plays a group of sales: created, paid at the bank, booked. Returns those that were paid. */
export async function playLot(past: Past, shop: Shop, lot: readonly Sale[]): Promise<Sold[]> {
  await goOnTo(past, lot[0]?.at ?? past.clock.now());
  await expireUnpaid(past, shop);
  const merchant = await readMerchant(past.db, shop.merchantId);
  invariant(merchant !== undefined, 'a demo without its merchant');
  const made = await Promise.all(lot.map((sale) => makeCharge(past, shop, merchant, sale)));
  const sold: Sold[] = [];
  for (const { sale, target, chargeId } of made.toSorted((one, other) => paidAt(one) - paidAt(other))) {
    if (sale.paid === undefined) continue;
    await goOnTo(past, new Date(paidAt({ sale })));
    sold.push({ sale, chargeId, endToEndId: await pay(past, { ...target, payer: sale.paid.payer }) });
  }
  await book(
    past,
    sold.map(({ endToEndId }) => endToEndId),
  );
  return sold;
}

/** Simulates a payment at the bank; returns its endToEndId. */
export async function pay(past: Past, payment: object): Promise<string> {
  const receipt = z.object({ endToEndId: z.string() });
  return receipt.parse(await askBank(past, 'POST', '/sandbox/payments', payment)).endToEndId;
}

/** Books received payments, as after a notice from the bank. */
export async function book(past: Past, endToEndIds: readonly string[]): Promise<void> {
  const found = await Promise.all(endToEndIds.map((id) => past.psp.findReceivedPix(id)));
  const received = found.filter((pix) => pix !== undefined);
  if (received.length > 0)
    await inTransaction(past, (tx) => settleReceived(tx, received, past.config.pixKey));
}

const paidAt = ({ sale: { at, paid } }: { readonly sale: Sale }) =>
  at.getTime() + (paid?.afterSeconds ?? 0) * 1000;

async function expireUnpaid(past: Past, { unpaid }: Shop): Promise<void> {
  const over = unpaid.filter((end) => end < past.clock.now()).length;
  if (over === 0) return;
  unpaid.splice(0, over);
  await expireCharges(past);
}

type Made = { readonly sale: Sale; readonly target: object; readonly chargeId: string | undefined };

/** A payment at the counter has no charge beforehand. */
async function makeCharge(past: Past, shop: Shop, merchant: Merchant, sale: Sale): Promise<Made> {
  const { way, amountCents, at, expiresInSeconds, which = 0 } = sale;
  const amount = brlFromCents(amountCents);
  if (way === 'counter') {
    const counter = shop.counters?.[which];
    invariant(counter !== undefined, 'a sale at a counter without a code');
    const target = { key: past.config.pixKey, txid: counter.txid, amount };
    return { sale, target, chargeId: undefined };
  }
  const then: Deps = { ...past, clock: { now: () => at } };
  const charge =
    way === 'link'
      ? await payByLink(then, shop.links?.[which], merchant, amountCents)
      : await createPayment(then, orderOf(shop, sale));
  if (sale.paid === undefined) shop.unpaid.push(new Date(at.getTime() + (expiresInSeconds + 90) * 1000));
  return { sale, target: { brCode: charge.brCode }, chargeId: charge.id };
}

function orderOf({ merchantId }: Shop, { way, at, amountCents, description, expiresInSeconds }: Sale) {
  const amount = brlFromCents(amountCents);
  const order = { merchantId, amount, expiresInSeconds, callbackUrl: undefined, description };
  const requestId = randomUUID();
  if (way === 'panel') return { ...order, by: { requestId, with: PANEL } };
  // The shop's own system derives order numbers from the minute.
  const number = String(Math.floor(at.getTime() / 60_000) % 1_000_000);
  return {
    ...order,
    externalId: `pedido-${number}`,
    metadata: { pedido: number, canal: 'site' },
    by: { requestId, with: READABLE_KEY },
  };
}

async function payByLink(
  then: Deps,
  link: StoredPaymentLink | undefined,
  merchant: Merchant,
  amountCents: number,
): Promise<Charge> {
  invariant(link !== undefined, 'a sale by a link that there is none of');
  const payer = {
    token: randomUUID(),
    version: link.version,
    amountCents,
    network: '203.0.113.0/24',
    requestId: randomUUID(),
  };
  const outcome = await payLink(then, merchant, link, payer);
  if ('state' in outcome) throw new Error(`the demo's link is ${outcome.state}`);
  return outcome.charge;
}
