import type { MerchantAccounts, MerchantKind } from '@jangada/contract';
import { sql } from 'kysely';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** A merchant's status and terms. Rates are in hundredths of a percent, amounts in integer cents. */
export type Merchant = {
  readonly id: number;
  readonly name: string;
  readonly document: string;
  readonly approved: boolean;
  /** Whether an administrator froze the account. A frozen account still receives payments, but sends no money. */
  readonly frozen: boolean;
  readonly apiActive: boolean;
  /** The fee of a payment: a rate and a fixed part. */
  readonly inRate: number;
  readonly fixInCents: number;
  /** The share of each payment that is withheld for `reserveDays`. */
  readonly reserveRate: number;
  readonly reserveDays: number;
  /** The fee of a withdrawal: a rate and a fixed part. */
  readonly outRate: number;
  readonly fixOutCents: number;
  /** As stored. What applies is `merchantKindOf`. */
  readonly kind: MerchantKind;
};

/** Whether a merchant is paid into the operator's account or into one of their own: by the merchant where both are admitted. */
export function merchantKindOf(
  { merchantAccounts }: { readonly merchantAccounts: MerchantAccounts },
  stored: MerchantKind,
): MerchantKind {
  return merchantAccounts === 'both' ? stored : merchantAccounts;
}

/** Reads the merchants of concurrent requests in one statement. */
const readBatched = batchPerConnection<number, Merchant | undefined>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: readMerchants,
});

/** Reads a merchant's status and terms. If the reserve is disabled, its rate is 0. */
export function readMerchant(db: Db | Tx['db'], id: number): Promise<Merchant | undefined> {
  return readBatched(db, id);
}

async function readMerchants(
  db: Db | Tx['db'],
  ids: readonly number[],
): Promise<readonly (Merchant | undefined)[]> {
  const { rows } = await sql<MerchantRow>`
    select id, name, document, approved, frozen_at is not null as frozen, api_active, in_rate, fix_in_cents, reserve_enabled, reserve_rate,
           reserve_days, out_rate, fix_out_cents, merchant_kind
    from users where id = any(${[...new Set(ids)]}::bigint[])
  `.execute(db);
  const merchantById = new Map(rows.map((row) => [row.id, merchantFrom(row)]));
  return ids.map((id) => merchantById.get(id));
}

type MerchantRow = {
  id: number;
  name: string;
  document: string;
  approved: boolean;
  frozen: boolean;
  api_active: boolean;
  in_rate: number;
  fix_in_cents: number;
  reserve_enabled: boolean;
  reserve_rate: number;
  reserve_days: number;
  out_rate: number;
  fix_out_cents: number;
  merchant_kind: MerchantKind;
};

function merchantFrom(row: MerchantRow): Merchant {
  return {
    id: row.id,
    name: row.name,
    document: row.document,
    approved: row.approved,
    frozen: row.frozen,
    apiActive: row.api_active,
    inRate: row.in_rate,
    fixInCents: row.fix_in_cents,
    reserveRate: row.reserve_enabled ? row.reserve_rate : 0,
    reserveDays: row.reserve_enabled ? row.reserve_days : 0,
    outRate: row.out_rate,
    fixOutCents: row.fix_out_cents,
    kind: row.merchant_kind,
  };
}
