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
  findChargeOfPage,
  mayReceive,
  openAtBank,
  PAYMENT_LINK,
  type PreparedCharge,
  prepareCharge,
  storePreparedCharge,
} from '../payments/index.ts';
import { type StoredPaymentLink, stateOf } from './payment-link.ts';
import { countOpenCodes, lockLink } from './store.ts';

/** The charges that one network may create with all links together. Many phones may share one network. */
const networkLimit = { limit: 60, windowSeconds: 600 };
/** The charges that all payers together may create with one link. */
const linkLimit = { limit: 600, windowSeconds: 60 };

/** The form that a payer submitted on a link's page. */
export type LinkSubmission = {
  /** Identifies the page that the payer had open, so that a form submitted twice creates only one charge. */
  readonly token: string;
  /** The version of the link that the page showed. */
  readonly version: number;
  readonly amountCents: number;
  /** The payer's address range (`networkOf`), which may create only a limited number of charges. */
  readonly network: string;
  readonly requestId: string;
};

/**
 * The charge, or the reason why none was created; `changed`: the owner changed the link while the payer read the page.
 */
export type LinkOutcome =
  | { readonly charge: Charge }
  | { readonly state: Exclude<LinkPage['state'], 'open'> | 'changed' };

/**
 * Creates a charge for a link, or finds the charge that this page created before. Payments and open codes (charges that
 * can still be paid) are counted while the link is locked, so that there are never more open codes than payments that
 * the link still accepts; a code that expires unpaid no longer counts. Throws the refusals of `prepareCharge` and
 * `openAtBank`, and RATE_LIMITED.
 */
export async function payLink(
  deps: Deps,
  merchant: Merchant,
  link: StoredPaymentLink,
  payer: LinkSubmission,
): Promise<LinkOutcome> {
  const previous = await findPreviousCharge(deps.db, link, payer);
  if (previous.charge !== undefined)
    return { charge: await ensureCode(deps, previous.charge, merchant.name) };
  if (!mayReceive(merchant)) return { state: 'not-receiving' };
  if (payer.version !== link.version) {
    const state = await pageStateOf(deps.db, link, deps.clock.now());
    return { state: state === 'open' ? 'changed' : state };
  }
  await takeAttempts(deps, [
    { key: `links ${payer.network}`, ...networkLimit },
    { key: `link ${link.slug}`, ...linkLimit },
  ]);
  const newCharge = {
    merchantId: link.merchantId,
    amount: brlFromCents(payer.amountCents),
    expiresInSeconds: PAYMENT_LINKS.chargeSeconds,
    callbackUrl: undefined,
    description: link.title,
    successUrl: link.successUrl ?? undefined,
    linkId: link.id,
    pageId: previous.freePageId,
    by: { requestId: payer.requestId, with: PAYMENT_LINK },
  };
  const prepared = prepareCharge(deps, merchant, newCharge);
  const outcome = await inTransaction(deps, (tx) => storeOnce(tx, link, prepared, previous.freePageId));
  if ('state' in outcome) return outcome;
  const charge =
    outcome.charge === prepared.charge
      ? await openAtBankOnce(deps, outcome.charge, merchant.name, 'new')
      : await ensureCode(deps, outcome.charge, merchant.name);
  return { charge };
}

/**
 * Finds the charge that this page created. A charge that the bank refused does not count: another one can be created,
 * under the returned `freePageId`.
 */
async function findPreviousCharge(
  db: Db,
  link: StoredPaymentLink,
  payer: LinkSubmission,
): Promise<{ readonly charge: Charge } | { readonly charge: undefined; readonly freePageId: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const pageId = pageIdOf(link, payer, attempt);
    const charge = await findChargeOfPage(db, link.merchantId, pageId);
    if (charge === undefined) return { charge, freePageId: pageId };
    if (charge.status !== 'error') return { charge };
  }
}

/**
 * Derives the id of a page from its token, the amount and the attempt. A unique index on page ids then prevents a
 * second charge for the same submission. The id is a UUID of version 8 (RFC 9562), which the bit operations mark.
 */
function pageIdOf(link: StoredPaymentLink, { token, amountCents }: LinkSubmission, attempt: number): string {
  const hash = createHash('sha256').update([link.id, token, amountCents, attempt].join('\n')).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Stores a charge, unless the page has one already or the link accepts no more charges. */
async function storeOnce(
  tx: Tx,
  shownLink: StoredPaymentLink,
  prepared: PreparedCharge,
  pageId: string,
): Promise<LinkOutcome> {
  const link = await lockLink(tx, shownLink.merchantId, shownLink.id);
  invariant(link !== undefined, 'a link is never removed');
  const existing = await findChargeOfPage(tx.db, link.merchantId, pageId);
  if (existing !== undefined) return { charge: existing };
  const state = await pageStateOf(tx.db, link, tx.now);
  if (state !== 'open') return { state };
  // The owner changed the link between the read and the lock.
  if (link.version !== shownLink.version) return { state: 'changed' };
  await storePreparedCharge({ db: tx.db, now: tx.now }, prepared);
  return { charge: prepared.charge };
}

/** Returns the state of a link's page, which is `open` if the link accepts another charge. */
export async function pageStateOf(
  db: Db | Tx['db'],
  link: StoredPaymentLink,
  now: Date,
): Promise<Exclude<LinkPage['state'], 'not-receiving'>> {
  const state = stateOf(link, now);
  if (state === 'sold_out') return 'full';
  if (state !== 'active') return state;
  if (link.maxPayments === null) return 'open';
  const remainingPayments = link.maxPayments - link.payments;
  return (await countOpenCodes(db, link, now, remainingPayments)) >= remainingPayments ? 'reserved' : 'open';
}

/** Returns a stored charge with its BR Code (the text to pay it), and requests a missing BR Code from the bank. */
async function ensureCode(deps: Deps, charge: Charge, merchantName: string): Promise<Charge> {
  if (charge.brCode !== '' || charge.status !== 'pending') return charge;
  try {
    return await openAtBankOnce(deps, charge, merchantName, 'maybe created');
  } catch (error) {
    // Another process may have stored the code meanwhile.
    const reread = await findCharge(deps.db, charge.merchantId, charge.id);
    if (reread === undefined || reread.brCode === '') throw error;
    return reread;
  }
}

const openingCharges = new Map<string, Promise<Charge>>();

/** Creates a charge at the bank. Concurrent requests for the same charge share one call. */
function openAtBankOnce(
  deps: Deps,
  charge: Charge,
  merchantName: string,
  bankState: 'new' | 'maybe created',
): Promise<Charge> {
  const opening = openingCharges.get(charge.id);
  if (opening !== undefined) return opening;
  const opened = openAtBank(deps, charge, merchantName, bankState).finally(() =>
    openingCharges.delete(charge.id),
  );
  openingCharges.set(charge.id, opened);
  return opened;
}
