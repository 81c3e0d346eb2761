import { createHash } from 'node:crypto';
import { brlFromCents, type LinkPage, PAYMENT_LINKS } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, takeAttempts } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import {
  type Charge,
  findCharge,
  insertPrepared,
  mayReceive,
  openAtBank,
  PAYMENT_LINK,
  type PreparedCharge,
  prepareCharge,
} from '../payments/index.ts';
import { type StoredPaymentLink, stateOf } from './payment-link.ts';
import { countOpenCodes, lockLink } from './store.ts';

/**
 * Limits on charges created: per network in ten minutes, for all links together, since many phones may share a network;
 * and per link in a minute.
 */
const perNetwork = { limit: 60, windowSeconds: 600 };
const perLink = { limit: 600, windowSeconds: 60 };

/**
 * A payer's request. `token`: identifies the page's charge, so that a form submitted twice creates only one; `version`:
 * the version of the link shown on the page.
 */
export type LinkPayer = {
  readonly token: string;
  readonly version: number;
  readonly amountCents: number;
  readonly network: string;
  readonly requestId: string;
};

/** A charge, or why there is none; `changed`: the owner changed the link while the payer was reading the page. */
export type LinkOutcome =
  | { readonly charge: Charge }
  | { readonly state: Exclude<LinkPage['state'], 'open'> | 'changed' };

/**
 * Creates a charge for a link, or finds the one created by this page before. Payments and open codes are counted while
 * the link is locked, so that there are never more open codes than payments the link still takes; a code that ends
 * unpaid frees its place. Refused like any other charge, and with RATE_LIMITED.
 */
export async function payLink(
  deps: Deps,
  merchant: Merchant,
  link: StoredPaymentLink,
  payer: LinkPayer,
): Promise<LinkOutcome> {
  const before = await findMade(deps.db, link, payer);
  if (before.charge !== undefined) return { charge: await withCode(deps, before.charge, merchant.name) };
  if (!mayReceive(merchant)) return { state: 'not-receiving' };
  if (payer.version !== link.version) {
    const state = await pageStateOf(deps.db, link, deps.clock.now());
    return { state: state === 'open' ? 'changed' : state };
  }
  await takeAttempts(deps, [
    { key: `links ${payer.network}`, ...perNetwork },
    { key: `link ${link.slug}`, ...perLink },
  ]);
  const wanted = {
    merchantId: link.merchantId,
    amount: brlFromCents(payer.amountCents),
    expiresInSeconds: PAYMENT_LINKS.chargeSeconds,
    callbackUrl: undefined,
    description: link.title,
    successUrl: link.successUrl ?? undefined,
    linkId: link.id,
    by: { requestId: payer.requestId, with: PAYMENT_LINK },
  };
  const prepared = prepareCharge(deps, merchant, wanted, before.freeId);
  const stored = await inTransaction(deps, (tx) => storeOnce(tx, link, prepared));
  if ('state' in stored) return stored;
  const charge =
    stored.charge === prepared.charge
      ? await askOnce(deps, stored.charge, merchant.name, 'new')
      : await withCode(deps, stored.charge, merchant.name);
  return { charge };
}

/** Finds the charge created by this page. One that the bank refused is created again, under the returned free id. */
async function findMade(
  db: Db,
  link: StoredPaymentLink,
  payer: LinkPayer,
): Promise<{ readonly charge: Charge } | { readonly charge: undefined; readonly freeId: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const id = chargeId(link, payer, attempt);
    const charge = await findCharge(db, link.merchantId, id);
    if (charge === undefined) return { charge, freeId: id };
    if (charge.status !== 'error') return { charge };
  }
}

/** Deterministic for page and amount: the primary key prevents a second charge. A UUID version 8 (RFC 9562). */
function chargeId(link: StoredPaymentLink, { token, amountCents }: LinkPayer, attempt: number): string {
  const hash = createHash('sha256').update([link.id, token, amountCents, attempt].join('\n')).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Stores a charge, unless it exists already or the link accepts no more. */
async function storeOnce(tx: Tx, seen: StoredPaymentLink, prepared: PreparedCharge): Promise<LinkOutcome> {
  const link = await lockLink(tx, seen.merchantId, seen.id);
  invariant(link !== undefined, 'a link is never removed');
  const known = await findCharge(tx.db, link.merchantId, prepared.charge.id);
  if (known !== undefined) return { charge: known };
  const state = await pageStateOf(tx.db, link, tx.now);
  if (state !== 'open') return { state };
  // Changed between the read and the lock.
  if (link.version !== seen.version) return { state: 'changed' };
  await insertPrepared({ db: tx.db, now: tx.now }, prepared);
  return { charge: prepared.charge };
}

/** Whether a link accepts another charge, as a page state. */
export async function pageStateOf(
  db: Db | Tx['db'],
  link: StoredPaymentLink,
  now: Date,
): Promise<Exclude<LinkPage['state'], 'not-receiving'>> {
  const state = stateOf(link, now);
  if (state === 'sold_out') return 'full';
  if (state !== 'active') return state;
  if (link.maxPayments === null) return 'open';
  const left = link.maxPayments - link.payments;
  return (await countOpenCodes(db, link, now, left)) >= left ? 'reserved' : 'open';
}

/** Returns a stored charge with the bank's code, fetching it if that has not been done. */
async function withCode(deps: Deps, charge: Charge, merchantName: string): Promise<Charge> {
  if (charge.brCode !== '' || charge.status !== 'pending') return charge;
  try {
    return await askOnce(deps, charge, merchantName, 'perhaps asked');
  } catch (error) {
    // Another process may have fetched it meanwhile.
    const now = await findCharge(deps.db, charge.merchantId, charge.id);
    if (now === undefined || now.brCode === '') throw error;
    return now;
  }
}

const asking = new Map<string, Promise<Charge>>();

/** Concurrent requests for one charge share one call to the bank. */
function askOnce(
  deps: Deps,
  charge: Charge,
  merchantName: string,
  standing: 'new' | 'perhaps asked',
): Promise<Charge> {
  const underWay = asking.get(charge.id);
  if (underWay !== undefined) return underWay;
  const asked = openAtBank(deps, charge, merchantName, standing).finally(() => asking.delete(charge.id));
  asking.set(charge.id, asked);
  return asked;
}
