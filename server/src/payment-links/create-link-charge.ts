import { createHash } from 'node:crypto';
import { brlFromCents, type LinkPage, PAYMENT_LINK_LIMITS } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { feesAreOverdue } from '../fee-statements/index.ts';
import { enforceAttemptLimits, type Merchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import {
  type Charge,
  canReceivePayments,
  createChargeAtBank,
  findCharge,
  findChargeByPageId,
  inOwnBankPlace,
  MADE_WITH_PAYMENT_LINK,
  type PreparedCharge,
  prepareCharge,
  receivingAccountsOf,
  storePreparedCharge,
} from '../payments/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { determineLinkState, type StoredPaymentLink } from './payment-link.ts';
import { countOpenCharges, lockLink } from './store.ts';

/**
 * The charges that one network may create with all links together. Generous, because many phones may share a network.
 */
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
 * `createChargeAtBank`, and RATE_LIMITED.
 */
export async function createLinkCharge(
  deps: Deps,
  merchant: Merchant,
  link: StoredPaymentLink,
  submission: LinkSubmission,
): Promise<LinkOutcome> {
  const previous = await findPreviousCharge(deps.db, link, submission);
  if (previous.charge !== undefined)
    return { charge: await ensureBrCode(deps, previous.charge, merchant.name) };
  if (!(await canReceiveByLink(deps, merchant))) return { state: 'not-receiving' };
  if (submission.version !== link.version) {
    const state = await readPageState(deps.db, link, deps.clock.now());
    return { state: state === 'open' ? 'changed' : state };
  }
  await enforceAttemptLimits(deps, [
    { key: `links ${submission.network}`, ...networkLimit },
    { key: `link ${link.slug}`, ...linkLimit },
  ]);
  const newCharge = {
    merchantId: link.merchantId,
    amount: brlFromCents(submission.amountCents),
    expiresInSeconds: PAYMENT_LINK_LIMITS.chargeSeconds,
    callbackUrl: undefined,
    description: link.title,
    successUrl: link.successUrl ?? undefined,
    paymentLinkId: link.id,
    pageId: previous.freePageId,
    by: { requestId: submission.requestId, madeWith: MADE_WITH_PAYMENT_LINK },
  };
  const prepared = await prepareCharge(deps, merchant, newCharge);
  const outcome = await inTransaction(deps, (tx) => storeLinkCharge(tx, link, prepared, previous.freePageId));
  if ('state' in outcome) return outcome;
  const isNewCharge = outcome.charge === prepared.charge;
  const charge = isNewCharge
    ? await createChargeAtBankOnce(deps, outcome.charge, merchant.name, 'new')
    : await ensureBrCode(deps, outcome.charge, merchant.name);
  return { charge };
}

/** Whether a charge could be created for the merchant now. */
export async function canReceiveByLink(deps: Deps, merchant: Merchant): Promise<boolean> {
  if (!canReceivePayments(merchant)) return false;
  const [connectionId] = await receivingAccountsOf(deps, merchant);
  if (connectionId === undefined || connectionId === HOUSE_CONNECTION) return connectionId !== undefined;
  return !(await feesAreOverdue(deps, merchant.id));
}

/**
 * Finds the charge that this page created. A charge that the bank refused does not count: another one can be created,
 * under the returned `freePageId`.
 */
async function findPreviousCharge(
  db: Db,
  link: StoredPaymentLink,
  submission: LinkSubmission,
): Promise<{ readonly charge: Charge } | { readonly charge: undefined; readonly freePageId: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const pageId = pageIdOf(link, submission, attempt);
    const charge = await findChargeByPageId(db, link.merchantId, pageId);
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
async function storeLinkCharge(
  tx: Tx,
  shownLink: StoredPaymentLink,
  prepared: PreparedCharge,
  pageId: string,
): Promise<LinkOutcome> {
  const link = await lockLink(tx, shownLink.merchantId, shownLink.id);
  invariant(link !== undefined, 'a link is never removed');
  const existingCharge = await findChargeByPageId(tx.db, link.merchantId, pageId);
  if (existingCharge !== undefined) return { charge: existingCharge };
  const state = await readPageState(tx.db, link, tx.now);
  if (state !== 'open') return { state };
  // The owner changed the link between the read and the lock.
  if (link.version !== shownLink.version) return { state: 'changed' };
  await storePreparedCharge({ db: tx.db, now: tx.now }, prepared);
  return { charge: prepared.charge };
}

/**
 * Returns the state of a link's page: `open` if the link accepts another charge, `reserved` if open codes take all
 * payments that are left, `full` if no payment is left.
 */
export async function readPageState(
  db: Db | Tx['db'],
  link: StoredPaymentLink,
  now: Date,
): Promise<Exclude<LinkPage['state'], 'not-receiving'>> {
  const state = determineLinkState(link, now);
  if (state === 'sold_out') return 'full';
  if (state !== 'active') return state;
  if (link.maxPayments === null) return 'open';
  const remainingPayments = link.maxPayments - link.payments;
  return (await countOpenCharges(db, link, now, remainingPayments)) >= remainingPayments
    ? 'reserved'
    : 'open';
}

/** Returns a stored charge with its BR Code (the text to pay it), and requests a missing BR Code from the bank. */
async function ensureBrCode(deps: Deps, charge: Charge, merchantName: string): Promise<Charge> {
  if (charge.brCode !== '' || charge.status !== 'pending') return charge;
  try {
    return await createChargeAtBankOnce(deps, charge, merchantName, 'maybe created');
  } catch (error) {
    // Another process may have stored the code meanwhile.
    const updatedCharge = await findCharge(deps.db, charge.merchantId, charge.id);
    if (updatedCharge === undefined || updatedCharge.brCode === '') throw error;
    return updatedCharge;
  }
}

/** The calls to the bank that are in progress in this process, by charge id. */
const openingCharges = new Map<string, Promise<Charge>>();

/** Creates a charge at the bank. Concurrent requests for the same charge share one call. */
function createChargeAtBankOnce(
  deps: Deps,
  charge: Charge,
  merchantName: string,
  bankState: 'new' | 'maybe created',
): Promise<Charge> {
  const creationInProgress = openingCharges.get(charge.id);
  if (creationInProgress !== undefined) return creationInProgress;
  const creation = inOwnBankPlace(deps, charge, () =>
    createChargeAtBank(deps, charge, { merchantName }, bankState),
  ).finally(() => openingCharges.delete(charge.id));
  openingCharges.set(charge.id, creation);
  return creation;
}
