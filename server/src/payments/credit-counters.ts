/*
 * Payments that reach a merchant without a charge created beforehand: those made with a counter code (a printed QR
 * Code), and those that an administrator assigns. Also the release of reserves, which credits withheld money.
 */
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { lockBalances, movements, post } from '../ledger/index.ts';
import { type BankReceivedPix, HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { findDueReserves, insertReserves, markReservesReleased } from '../reserves/index.ts';
import { merchantIdFromStaticTxid, newChargeIds } from './bank-ids.ts';
import { noOptions } from './charge-options.ts';
import { type Charge, computeFeeAndReserve, type MerchantTerms } from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { insertCharge, MADE_WITH_COUNTER_CODE, markChargesPaid } from './store.ts';

/**
 * The charge to be created for a Pix that was paid with a counter code (a printed QR Code), or to a bank at which its
 * charge was abandoned. It is stored only once the Pix is known to be new.
 */
export type ChargeForPix = {
  readonly charge: Charge;
  readonly terms: MerchantTerms;
  /** Null for a charge that no counter code makes. */
  readonly counterCodeId: string | null;
};

/**
 * Returns a charge for each Pix paid with one of our counter codes, under the merchant's current terms. The map's keys
 * are endToEndIds, the nationwide ids of Pix. The amount may differ from the code's, and the code may be switched off,
 * because the money is the merchant's in any case; the caller sorts out amounts that the fee would consume. Skips the
 * query if no txid has the form of a counter code's txid.
 */
export async function buildCounterCodeCharges(
  tx: Tx,
  received: readonly BankReceivedPix[],
): Promise<ReadonlyMap<string, ChargeForPix>> {
  const candidates = received.flatMap((pix) => {
    const merchantId = pix.txid === undefined ? undefined : merchantIdFromStaticTxid(pix.txid);
    return pix.txid === undefined || merchantId === undefined ? [] : [{ pix, txid: pix.txid, merchantId }];
  });
  if (candidates.length === 0) return new Map();
  const codeIds = await findCodeIds(tx, candidates);
  const merchantIds = new Set(
    candidates.filter(({ txid }) => codeIds.has(txid)).map(({ merchantId }) => merchantId),
  );
  const merchants = new Map(
    await Promise.all([...merchantIds].map(async (id) => [id, await readMerchant(tx.db, id)] as const)),
  );
  const counterCharges = candidates.flatMap(({ pix, txid, merchantId }) => {
    const counterCodeId = codeIds.get(txid);
    const merchant = merchants.get(merchantId);
    if (counterCodeId === undefined || merchant === undefined) return [];
    const charge = buildChargeForPix(merchant, pix.amountCents, tx.now);
    return [[pix.endToEndId, { charge, terms: merchant, counterCodeId }] as const];
  });
  return new Map(counterCharges);
}

/** Returns the ids of counter codes by their txids. */
async function findCodeIds(
  tx: Tx,
  keys: readonly { readonly merchantId: number; readonly txid: string }[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ txid: string; id: string }>`
    select txid, id from counter_codes
    join unnest(${numberArray(keys.map((key) => key.merchantId))}::bigint[],
                ${textArray(keys.map((key) => key.txid))}::text[]) keys (merchant_id, txid) using (merchant_id, txid)
  `.execute(tx.db);
  return new Map(rows.map(({ txid, id }) => [txid, id]));
}

/** Builds a charge for a Pix that the operator's own account received without one. The charge has no BR Code: nobody will pay it again. */
export function buildChargeForPix(merchant: Merchant, amountCents: number, now: Date): Charge {
  return {
    merchantId: merchant.id,
    connectionId: HOUSE_CONNECTION,
    ...newChargeIds(merchant.id, now),
    status: 'pending',
    amountCents,
    ...computeFeeAndReserve(amountCents, merchant),
    reserveDays: merchant.reserveDays,
    expiresAt: now,
    callbackUrl: null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: null,
    metadata: null,
    cancelledAt: null,
    dueDate: null,
    createdAt: now,
  };
}

/**
 * Builds a charge for a Pix that names another charge but cannot pay it: with the references of that one, so that the
 * merchant finds both, and under the terms given.
 */
export function likeCharge(
  charge: Charge,
  amountCents: number,
  {
    terms,
    connectionId,
    now,
  }: { readonly terms: MerchantTerms; readonly connectionId: number; readonly now: Date },
): Charge {
  return {
    ...charge,
    ...newChargeIds(charge.merchantId, now),
    amountCents,
    ...computeFeeAndReserve(amountCents, terms),
    connectionId,
    status: 'pending',
    reserveDays: terms.reserveDays,
    expiresAt: now,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    cancelledAt: null,
    dueDate: null,
    createdAt: now,
  };
}

/**
 * Stores charges that were made for Pix; the caller then marks them as paid, together with all others of the transaction.
 * First locks the counters of all merchants whose charges the transaction pays (`merchantIds`), always in the same
 * order, so that two settlements cannot deadlock.
 */
export async function insertChargesForPix(
  tx: Tx,
  chargesForPix: readonly ChargeForPix[],
  merchantIds: readonly number[],
): Promise<void> {
  if (chargesForPix.length === 0) return;
  await sql`select lock_merchant_counters(${numberArray(merchantIds)}::bigint[])`.execute(tx.db);
  await Promise.all(
    chargesForPix.map(({ charge, terms, counterCodeId }) =>
      insertCharge(tx, {
        charge,
        terms,
        nextCheckAt: tx.now,
        ...(counterCodeId !== null && {
          by: { requestId: null, madeWith: MADE_WITH_COUNTER_CODE },
          options: { ...noOptions, counterCodeId },
        }),
      }),
    ),
  );
}

const dayMs = 86_400_000;

/**
 * Credits a Pix from suspense (money that matched no charge) to a merchant, as a payment under the merchant's current
 * terms: creates a paid charge, so that the payment is in the feed, has its reserve withheld and can be refunded.
 * Returns the charge's id. Refuses with AMOUNT_BELOW_FEE if the fee would consume the whole amount. The caller must
 * lock the Pix, and must post nothing else in this transaction.
 */
export async function creditAssignedPix(
  tx: Tx,
  merchant: Merchant,
  pix: Pick<BankReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
): Promise<string> {
  const charge = buildChargeForPix(merchant, pix.amountCents, tx.now);
  const { merchantId, id, amountCents, feeCents, reserveCents, reserveDays } = charge;
  if (feeCents >= amountCents) throw new Refusal('AMOUNT_BELOW_FEE');
  await publishChargeEvents(tx, 'paid', [{ charge, paidAt: pix.paidAt }]);
  await post(
    tx,
    movements.unmatchedAssigned({
      merchantId,
      reference: pix.endToEndId,
      amountCents,
      feeCents,
      reserveCents,
    }),
  );
  await insertCharge(tx, { charge, terms: merchant, nextCheckAt: tx.now });
  await markChargesPaid(tx, [{ charge, endToEndId: pix.endToEndId, paidAt: pix.paidAt }]);
  const dueAt = new Date(tx.now.getTime() + reserveDays * dayMs);
  if (reserveCents > 0)
    await insertReserves(tx, [{ merchantId, chargeId: id, amountCents: reserveCents, dueAt }]);
  return id;
}

const releaseBatchSize = 500;

/**
 * Releases due reserves (the withheld shares of payments) to their merchants, less the amounts that disputes took from
 * the reserves. Returns the number of due reserves.
 */
export async function releaseReserves(deps: Deps): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const due = await findDueReserves(tx, releaseBatchSize);
    if (due.length === 0) return 0;
    // A dispute also locks the balances before it takes from reserves, so no reserve is released at the same moment.
    await lockBalances(tx, [...new Set(due.map(({ merchantId }) => merchantId))], HOUSE_CONNECTION);
    const released = await markReservesReleased(tx, due);
    await post(
      tx,
      released.flatMap(({ merchantId, chargeId, amountCents }) =>
        movements.reserveReleased({ merchantId, reference: chargeId, amountCents }),
      ),
    );
    return due.length;
  });
}
