import type { ChargeStatus, Metadata } from '@jangada/contract';
import type { DueTerms } from '@jangada/pix';
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import { lockSeveral, ofMerchants } from '../db/sharding.ts';
import { retryOnConflict, type Tx, type TxOrDb } from '../db/transaction.ts';
import {
  claimIdempotencyKeysCte,
  type IdempotencyKeyClaim,
  type IdempotentResponse,
  storeIdempotentResponsesCte,
} from '../http/idempotency-store.ts';
import { type ChargeOptions, chargeOptionsCtes } from './charge-options.ts';
import { dueTermsInsertCte } from './due-terms-store.ts';
import type { Charge, MerchantTerms, PayableCharge } from './payment.ts';

/** A row of the table `charges`, with the columns of which `chargeFrom` makes a `Charge`. */
export type ChargeRow = {
  merchant_id: number;
  id: string;
  connection_id: number;
  txid: string;
  status: string;
  amount_cents: number;
  fee_cents: number;
  reserve_cents: number;
  reserve_days: number;
  expires_at: Date;
  callback_url: string | null;
  br_code: string;
  end_to_end_id: string | null;
  paid_at: Date | null;
  refunded_cents: number;
  external_id: string | null;
  metadata: unknown;
  cancelled_at: Date | null;
  due_date: string | null;
  created_at: Date;
};

export const chargeColumns = [
  'merchant_id',
  'id',
  'connection_id',
  'txid',
  'status',
  'amount_cents',
  'fee_cents',
  'reserve_cents',
  'reserve_days',
  'expires_at',
  'callback_url',
  'br_code',
  'end_to_end_id',
  'paid_at',
  'refunded_cents',
  'external_id',
  'metadata',
  'cancelled_at',
  'due_date',
  'created_at',
] as const;

export function chargeFrom(row: ChargeRow): Charge {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    connectionId: row.connection_id,
    txid: row.txid,
    // The table's CHECK admits only these words.
    status: row.status as ChargeStatus,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    reserveCents: row.reserve_cents,
    reserveDays: row.reserve_days,
    expiresAt: row.expires_at,
    callbackUrl: row.callback_url,
    brCode: row.br_code,
    endToEndId: row.end_to_end_id,
    paidAt: row.paid_at,
    refundedCents: row.refunded_cents,
    externalId: row.external_id,
    // The contract allows only string values.
    metadata: row.metadata as Metadata | null,
    cancelledAt: row.cancelled_at,
    dueDate: row.due_date,
    createdAt: row.created_at,
  };
}

/**
 * The values of `made_with` for charges that no named API key created: the dashboard, the account's readable key, a
 * payment link or a counter code. A named key is recorded by its id.
 */
export const MADE_WITH_DASHBOARD = 'panel';
export const MADE_WITH_READABLE_KEY = 'readable-key';
export const MADE_WITH_PAYMENT_LINK = 'payment-link';
export const MADE_WITH_COUNTER_CODE = 'counter-code';

/**
 * The origin of a charge. `requestId`: the request that created it; null for a counter code's charge, because its Pix
 * arrives without a request. `with`: one of the values above, or the id of a named API key.
 */
export type ChargeOrigin = { readonly requestId: string | null; readonly madeWith: string };

/** A charge to be stored, with its terms, origin and options. */
export type NewChargeRow = {
  readonly charge: Charge;
  readonly terms: MerchantTerms;
  /** When `expireCharges` is to look the charge up at the bank; null for a debit, which its subscription looks after. */
  readonly nextCheckAt: Date | null;
  /** The subscription that the charge is for. */
  readonly subscriptionId?: string | undefined;
  readonly by?: ChargeOrigin | undefined;
  readonly options?: ChargeOptions | undefined;
  readonly due?: DueTerms | undefined;
  /** The Idempotency-Key of the call that creates the charge, if the key may be new. */
  readonly claim?: IdempotencyKeyClaim | undefined;
};

const insertInBatch = batchPerConnection<NewChargeRow, boolean>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: insertCharges,
});

/**
 * Stores a new charge, in one statement with other charges that arrive at the same time. With a `claim`, the statement
 * also stores the Idempotency-Key; if that key exists already, the charge is not stored and the result is false.
 */
export function insertCharge({ db }: TxOrDb, row: NewChargeRow): Promise<boolean> {
  return insertInBatch(db, row);
}

async function insertCharges(db: TxOrDb['db'], rows: readonly NewChargeRow[]): Promise<boolean[]> {
  const charges = rows.map(({ charge }) => charge);
  const terms = rows.map((row) => row.terms);
  const claims = rows.flatMap(({ claim }) => claim ?? []);
  // `unclaimed_resources`, which `claimIdempotencyKeysCte` defines, has the charges whose Idempotency-Key exists
  // already.
  const isClaimed =
    claims.length === 0 ? sql`true` : sql`new_charge.id not in (select id from unclaimed_resources)`;
  const claimCtes = claims.length === 0 ? [] : [claimIdempotencyKeysCte(claims)];
  const isStored = sql`charge_id in (select id from stored_charges)`;
  const optionsCtes = [...chargeOptionsCtes(rows, isStored), dueTermsInsertCte(rows, isStored)].filter(
    (insert) => insert !== undefined,
  );
  const { rows: stored } = await retryOnConflict(() =>
    sql<{ id: string }>`
      with ${sql.join([
        ...claimCtes,
        sql`stored_charges as (
      insert into charges (
        merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
        reserve_cents, expires_at, callback_url, next_check_at, external_id, metadata, request_id, made_with,
        connection_id, due_date, subscription_id, created_at, updated_at)
      select *, created_at
      from unnest(
        ${charges.map((charge) => charge.merchantId)}::bigint[], ${charges.map((charge) => charge.id)}::uuid[],
        ${charges.map((charge) => charge.txid)}::text[], ${charges.map((charge) => charge.status)}::text[],
        ${charges.map((charge) => charge.amountCents)}::bigint[], ${terms.map(({ inRate }) => inRate)}::integer[],
        ${terms.map(({ fixInCents }) => fixInCents)}::bigint[],
        ${terms.map(({ reserveRate }) => reserveRate)}::integer[],
        ${terms.map(({ reserveDays }) => reserveDays)}::integer[], ${charges.map((charge) => charge.feeCents)}::bigint[],
        ${charges.map((charge) => charge.reserveCents)}::bigint[],
        ${charges.map((charge) => charge.expiresAt)}::timestamptz[],
        ${charges.map((charge) => charge.callbackUrl)}::text[],
        ${rows.map(({ nextCheckAt }) => nextCheckAt)}::timestamptz[],
        ${textArray(charges.map((charge) => charge.externalId))}::text[],
        ${textArray(charges.map(({ metadata }) => metadata && JSON.stringify(metadata)))}::jsonb[],
        ${textArray(rows.map(({ by }) => by?.requestId ?? null))}::text[],
        ${textArray(rows.map(({ by }) => by?.madeWith ?? null))}::text[],
        ${charges.map((charge) => charge.connectionId)}::integer[],
        ${textArray(charges.map((charge) => charge.dueDate))}::date[],
        ${textArray(rows.map(({ subscriptionId }) => subscriptionId ?? null))}::uuid[],
        ${charges.map((charge) => charge.createdAt)}::timestamptz[]
      ) new_charge (
        merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
        reserve_cents, expires_at, callback_url, next_check_at, external_id, metadata, request_id, made_with,
        connection_id, due_date, subscription_id, created_at)
      where ${isClaimed}
      returning id
      )`,
        ...optionsCtes,
      ])}
      select id from stored_charges
    `.execute(db),
  );
  const storedIds = new Set(stored.map(({ id }) => id));
  return charges.map(({ id }) => storedIds.has(id));
}

export async function findCharge(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<Charge | undefined> {
  const row = await db
    .selectFrom('charges')
    .select(chargeColumns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && chargeFrom(row);
}

/** Whether a charge without a code is one that the payer's bank debits. */
export async function isDebit(
  db: Db,
  { merchantId, id }: Pick<Charge, 'merchantId' | 'id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('charges')
    .select('subscription_id')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.subscription_id != null;
}

/** Finds the charge that a page of a payment link created. */
export async function findChargeByPageId(
  db: Db | Tx['db'],
  merchantId: number,
  pageId: string,
): Promise<Charge | undefined> {
  const row = await db
    .selectFrom('charge_options as options')
    .innerJoin('charges', (join) =>
      join
        .onRef('charges.merchant_id', '=', 'options.merchant_id')
        .onRef('charges.id', '=', 'options.charge_id'),
    )
    .select(chargeColumns.map((column) => `charges.${column}` as const))
    .where('options.merchant_id', '=', merchantId)
    .where('options.page_id', '=', pageId)
    .executeTakeFirst();
  return row && chargeFrom(row);
}

/** A charge to be opened, with the bank's BR Code. */
type Opening = {
  readonly charge: Pick<Charge, 'merchantId' | 'id' | 'txid'>;
  readonly brCode: string;
  readonly nextCheckAt: Date;
  readonly now: Date;
  /** The response to the call that created the charge, to be stored under its Idempotency-Key. */
  readonly response?: IdempotentResponse | undefined;
};

const openInBatch = batchPerConnection<Opening, boolean>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: openCharges,
});

/**
 * Stores the BR Code of a pending charge and the response to the call that created the charge, in one statement with
 * other charges opened at the same time. Returns false, and stores nothing, if the charge has ended or was given
 * another txid.
 */
export function openCharge({ db, now }: TxOrDb, opening: Omit<Opening, 'now'>): Promise<boolean> {
  return openInBatch(db, { ...opening, now });
}

async function openCharges(db: TxOrDb['db'], rows: readonly Opening[]): Promise<boolean[]> {
  const responses = rows.flatMap(({ response }) => response ?? []);
  const storeResponses =
    responses.length === 0
      ? sql``
      : sql`, ${storeIdempotentResponsesCte(responses, sql`select id from opened`)}`;
  const ofTheseMerchants = ofMerchants(
    'charges.merchant_id',
    rows.map(({ charge }) => charge.merchantId),
  );
  const { rows: opened } = await retryOnConflict(() =>
    sql<{ id: string }>`
      with opened as (
        update charges set br_code = opening.br_code, next_check_at = opening.next_check_at, updated_at = opening.now
        from (
          select merchant_id, id, code.br_code, code.next_check_at, code.now
          from charges
          join unnest(
            ${rows.map(({ charge }) => charge.merchantId)}::bigint[], ${rows.map(({ charge }) => charge.id)}::uuid[],
            ${rows.map(({ charge }) => charge.txid)}::text[], ${rows.map((row) => row.brCode)}::text[], ${rows.map((row) => row.nextCheckAt)}::timestamptz[],
            ${rows.map((row) => row.now)}::timestamptz[]
          ) code (merchant_id, id, txid, br_code, next_check_at, now) using (merchant_id, id, txid)
          where status = 'pending' ${ofTheseMerchants}
          order by merchant_id, id
          ${lockSeveral('for update', 'charges')}
        ) opening
        where charges.merchant_id = opening.merchant_id and charges.id = opening.id and charges.status = 'pending'
          ${ofTheseMerchants}
        returning charges.id
      )
      ${storeResponses}
      select id from opened
    `.execute(db),
  );
  const ids = new Set(opened.map(({ id }) => id));
  return rows.map(({ charge }) => ids.has(charge.id));
}

/**
 * Ends pending charges, unless they were given another txid; with `error`, only those that never got a BR Code.
 * Returns the charges that were ended.
 */
export async function markChargesEnded(
  tx: Tx,
  charges: readonly Charge[],
  status: 'expired' | 'error',
  cancelledAt: Date | null = null,
): Promise<Charge[]> {
  const ofTheseMerchants = ofMerchants(
    'charges.merchant_id',
    charges.map(({ merchantId }) => merchantId),
  );
  const { rows } = await sql<ChargeRow>`
    update charges set status = ${status}, next_check_at = null, updated_at = ${tx.now}, cancelled_at = ${cancelledAt}
    from (
      select merchant_id, id from charges
      join unnest(${charges.map((charge) => charge.merchantId)}::bigint[],
                  ${charges.map((charge) => charge.id)}::uuid[], ${charges.map((charge) => charge.txid)}::text[])
        keys (merchant_id, id, txid) using (merchant_id, id, txid)
      where status = 'pending' and (${status} = 'expired' or br_code = '') ${ofTheseMerchants}
      order by merchant_id, id
      ${lockSeveral('for update', 'charges')}
    ) ending
    where charges.merchant_id = ending.merchant_id and charges.id = ending.id and charges.status = 'pending'
      and (${status} = 'expired' or charges.br_code = '')
      ${ofTheseMerchants}
    returning ${sql.join(chargeColumns.map((column) => sql.ref(`charges.${column}`)))}
  `.execute(tx.db);
  return rows.map(chargeFrom);
}

/** Marks charges as paid, in a transaction that also creates some of them. All other charges are marked by `settle`. */
export async function markChargesPaid(
  tx: Tx,
  paid: readonly { charge: PayableCharge; endToEndId: string; paidAt: Date }[],
): Promise<void> {
  if (paid.length === 0) return;
  await sql`
    update charges
    set status = 'paid', end_to_end_id = paid.end_to_end_id, paid_at = paid.paid_at, next_check_at = null,
        updated_at = ${tx.now}
    from unnest(
      ${numberArray(paid.map(({ charge }) => charge.merchantId))}::bigint[], ${textArray(paid.map(({ charge }) => charge.id))}::uuid[],
      ${textArray(paid.map(({ endToEndId }) => endToEndId))}::text[],
      ${paid.map(({ paidAt }) => paidAt)}::timestamptz[]
    ) paid (merchant_id, id, end_to_end_id, paid_at)
    where charges.merchant_id = paid.merchant_id and charges.id = paid.id
      ${ofMerchants(
        'charges.merchant_id',
        paid.map(({ charge }) => charge.merchantId),
      )}
  `.execute(tx.db);
}
