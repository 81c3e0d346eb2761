import { randomUUID } from 'node:crypto';
import { brlFromCents } from '@jangada/contract';
import { z } from 'zod';
import type { StoredCounterCode } from '../counter-codes/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { createLinkCharge, type StoredPaymentLink } from '../payment-links/index.ts';
import {
  type Charge,
  createPayment,
  expireCharges,
  MADE_WITH_DASHBOARD,
  MADE_WITH_READABLE_KEY,
  settleReceived,
} from '../payments/index.ts';
import { advanceTo, callSandbox, type PastDeps } from './past.ts';
import type { Sale } from './plan-sales.ts';

/** A merchant of the demo whose sales are played: created, paid at the sandbox's bank and booked. */
export type Shop = {
  readonly merchantId: number;
  readonly links?: readonly StoredPaymentLink[];
  readonly counters?: readonly StoredCounterCode[];
  /** When unpaid charges become due to be expired, oldest first. */
  readonly unpaidExpiries: Date[];
};

/** A paid sale. */
export type PaidSale = {
  readonly sale: Sale;
  readonly endToEndId: string;
  readonly chargeId: string | undefined;
};

/**
 * Sales that follow one another within this time are created and booked together. Shorter than the lifetime of a
 * charge, so that no charge expires before its payment.
 */
const groupMs = 15 * 60_000;

/** How long after its expiry an unpaid charge has surely become due for `expireCharges`. */
const expiryGraceSeconds = 90;

/** Groups sales that follow one another closely. */
export function groupSales(sales: readonly Sale[]): Sale[][] {
  const groups: Sale[][] = [];
  for (const sale of sales) {
    const group = groups.at(-1);
    const begin = group?.[0]?.at.getTime() ?? 0;
    if (group !== undefined && sale.at.getTime() - begin < groupMs) group.push(sale);
    else groups.push([sale]);
  }
  return groups;
}

/** Plays a group of sales: creates them, pays them at the bank and books the payments. Returns the paid sales. */
export async function playSales(past: PastDeps, shop: Shop, group: readonly Sale[]): Promise<PaidSale[]> {
  await advanceTo(past, group[0]?.at ?? past.clock.now());
  await expireUnpaid(past, shop);
  const merchant = await readMerchant(past.db, shop.merchantId);
  invariant(merchant !== undefined, 'a demo without its merchant');
  const createdSales = await Promise.all(group.map((sale) => createSale(past, shop, merchant, sale)));
  const paidSales: PaidSale[] = [];
  const inPaymentOrder = createdSales.toSorted(
    (left, right) => paymentTimeMs(left.sale) - paymentTimeMs(right.sale),
  );
  for (const { sale, target, chargeId } of inPaymentOrder) {
    if (sale.payment === undefined) continue;
    await advanceTo(past, new Date(paymentTimeMs(sale)));
    paidSales.push({
      sale,
      chargeId,
      endToEndId: await payAtSandboxBank(past, { ...target, payer: sale.payment.payer }),
    });
  }
  await bookPayments(
    past,
    paidSales.map(({ endToEndId }) => endToEndId),
  );
  return paidSales;
}

/** Simulates a payment at the bank; returns its endToEndId, the nationwide identifier of a Pix. */
export async function payAtSandboxBank(past: PastDeps, payment: object): Promise<string> {
  const receipt = z.object({ endToEndId: z.string() });
  return receipt.parse(await callSandbox(past, 'POST', '/sandbox/payments', payment)).endToEndId;
}

/** Books received payments as if the bank had sent a notice about them. */
export async function bookPayments(past: PastDeps, endToEndIds: readonly string[]): Promise<void> {
  const found = await Promise.all(endToEndIds.map((id) => past.psp.findReceivedPix(id)));
  const received = found.filter((pix) => pix !== undefined);
  if (received.length > 0) await inTransaction(past, (tx) => settleReceived(tx, received, past.connection));
}

const paymentTimeMs = ({ at, payment }: Sale) => at.getTime() + (payment?.afterSeconds ?? 0) * 1000;

/** Expires unpaid charges, if any of them is past its expiry. */
async function expireUnpaid(past: PastDeps, { unpaidExpiries }: Shop): Promise<void> {
  const expiredCount = unpaidExpiries.filter((expiry) => expiry < past.clock.now()).length;
  if (expiredCount === 0) return;
  unpaidExpiries.splice(0, expiredCount);
  await expireCharges(past);
}

type CreatedSale = { readonly sale: Sale; readonly target: object; readonly chargeId: string | undefined };

/**
 * Creates the charge of a sale, except for a sale at the counter: its payer pays a static code, and only the payment
 * creates the charge. `target` is the code that the payer pays.
 */
async function createSale(past: PastDeps, shop: Shop, merchant: Merchant, sale: Sale): Promise<CreatedSale> {
  const { channel, amountCents, at, expiresInSeconds, itemIndex = 0 } = sale;
  const amount = brlFromCents(amountCents);
  if (channel === 'counter') {
    const counter = shop.counters?.[itemIndex];
    invariant(counter !== undefined, 'a sale at a counter without a code');
    const target = { key: past.connection.pixKey, txid: counter.txid, amount };
    return { sale, target, chargeId: undefined };
  }
  const depsAtSale: Deps = { ...past, clock: { now: () => at } };
  const charge =
    channel === 'link'
      ? await createChargeByLink(depsAtSale, shop.links?.[itemIndex], merchant, amountCents)
      : await createPayment(depsAtSale, orderOf(shop, sale));
  if (sale.payment === undefined)
    shop.unpaidExpiries.push(new Date(at.getTime() + (expiresInSeconds + expiryGraceSeconds) * 1000));
  return { sale, target: { brCode: charge.brCode }, chargeId: charge.id };
}

function orderOf({ merchantId }: Shop, { channel, at, amountCents, description, expiresInSeconds }: Sale) {
  const amount = brlFromCents(amountCents);
  const order = { merchantId, amount, expiresInSeconds, callbackUrl: undefined, description };
  const requestId = randomUUID();
  if (channel === 'panel') return { ...order, by: { requestId, madeWith: MADE_WITH_DASHBOARD } };
  // The shop's own system derives order numbers from the minute.
  const orderNumber = String(Math.floor(at.getTime() / 60_000) % 1_000_000);
  return {
    ...order,
    externalId: `pedido-${orderNumber}`,
    metadata: { pedido: orderNumber, canal: 'site' },
    by: { requestId, madeWith: MADE_WITH_READABLE_KEY },
  };
}

async function createChargeByLink(
  deps: Deps,
  link: StoredPaymentLink | undefined,
  merchant: Merchant,
  amountCents: number,
): Promise<Charge> {
  invariant(link !== undefined, 'a sale by a link that does not exist');
  const payer = {
    token: randomUUID(),
    version: link.version,
    amountCents,
    network: '203.0.113.0/24',
    requestId: randomUUID(),
  };
  const outcome = await createLinkCharge(deps, merchant, link, payer);
  if ('state' in outcome) throw new Error(`the demo's link is ${outcome.state}`);
  return outcome.charge;
}
