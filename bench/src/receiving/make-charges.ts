import { randomBytes } from 'node:crypto';
import { encodeDynamicBrCode } from '@jangada/pix';
import { sql } from 'kysely';
import type { Db } from '../../../server/src/db/pool.ts';
import { newChargeIds } from '../../../server/src/payments/bank-ids.ts';
import { computeFeeAndReserve } from '../../../server/src/payments/payment.ts';
import { HOUSE_CONNECTION } from '../../../server/src/psp/index.ts';
import type { BenchMerchant } from './merchants.ts';

export type BenchCharge = {
  readonly id: string;
  readonly merchantId: number;
  readonly txid: string;
  readonly amountCents: number;
};

export type ChargesToMake = {
  readonly count: number;
  /** Returns the merchant of the next charge. */
  readonly nextMerchant: () => BenchMerchant;
  /** Returns the account at which a charge of the merchant is made: by default the operator's own. */
  readonly connectionOf?: (merchant: BenchMerchant) => number;
  /**
   * The URL for a webhook about each charge. If it is null, only the merchant's webhook endpoints are called.
   */
  readonly callbackUrl: string | null;
  /** Returns a random number from 0 to below 1. */
  readonly random: () => number;
  /** The bank's current time. */
  readonly now: Date;
};

const rowsPerStatement = 2000;
const expiryMs = 86_400_000;
/** The API sets the time at which an unpaid charge is ended to one minute after its expiry. */
const dueAfterExpiryMs = 60_000;

/**
 * Inserts charges as the API stores them after the bank's response: same columns, same terms, triggers on. Only the API
 * calls are skipped, because the bench measures the payment of these charges, not their creation.
 */
export async function makeCharges(db: Db, toMake: ChargesToMake): Promise<BenchCharge[]> {
  const charges: BenchCharge[] = [];
  while (charges.length < toMake.count) {
    const rows = Array.from({ length: Math.min(rowsPerStatement, toMake.count - charges.length) }, () =>
      newRow(toMake),
    );
    await insertRows(db, rows, toMake);
    for (const { merchant, id, txid, amountCents } of rows)
      charges.push({ merchantId: merchant.id, id, txid, amountCents });
  }
  return charges;
}

function newRow({ nextMerchant, random, now }: ChargesToMake) {
  const merchant = nextMerchant();
  // At least R$ 20, since the sandbox's special amounts, which trigger misbehaviour, are lower.
  const amountCents = 2000 + Math.floor(random() * 30_000);
  return {
    merchant,
    ...newChargeIds(merchant.id, now),
    amountCents,
    ...computeFeeAndReserve(amountCents, merchant),
    brCode: encodeDynamicBrCode({
      url: `localhost:3001/qr/v2/${randomBytes(16).toString('hex')}`,
      merchantName: 'Banco Sandbox',
      merchantCity: 'RECIFE',
      amountCents,
    }),
  };
}

async function insertRows(
  db: Db,
  rows: readonly ReturnType<typeof newRow>[],
  { callbackUrl, now, connectionOf = () => HOUSE_CONNECTION }: ChargesToMake,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + expiryMs);
  const nextCheckAt = new Date(expiresAt.getTime() + dueAfterExpiryMs);
  await sql`
    insert into charges (
      merchant_id, id, connection_id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
      reserve_cents, expires_at, callback_url, br_code, next_check_at, created_at, updated_at)
    select merchant_id, id, connection_id, txid, 'pending', amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
           reserve_cents, ${expiresAt}, ${callbackUrl}, br_code, ${nextCheckAt}, ${now}, ${now}
    from unnest(
      ${rows.map(({ merchant }) => merchant.id)}::bigint[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map(({ merchant }) => connectionOf(merchant))}::integer[],
      ${rows.map((row) => row.txid)}::text[], ${rows.map((row) => row.amountCents)}::bigint[],
      ${rows.map(({ merchant }) => merchant.inRate)}::integer[],
      ${rows.map(({ merchant }) => merchant.fixInCents)}::bigint[],
      ${rows.map(({ merchant }) => merchant.reserveRate)}::integer[],
      ${rows.map(({ merchant }) => merchant.reserveDays)}::integer[],
      ${rows.map((row) => row.feeCents)}::bigint[], ${rows.map((row) => row.reserveCents)}::bigint[],
      ${rows.map((row) => row.brCode)}::text[]
    ) made (merchant_id, id, connection_id, txid, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
            reserve_cents, br_code)
  `.execute(db);
}
