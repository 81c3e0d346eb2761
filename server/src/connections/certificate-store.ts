import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';

/** An account whose client certificate expires, or has expired. */
export type ExpiringCertificate = Pick<Selectable<DB['bank_connections']>, 'id' | 'merchant_id' | 'bank'> & {
  readonly certificate_expires_at: Date;
  readonly state: string;
};

/**
 * Takes the accounts in use whose certificate expires within this many days, and whose owners were not told about this
 * number of days or a smaller one. Marks them as told.
 */
export async function takeExpiringWithin(tx: Tx, days: number): Promise<ExpiringCertificate[]> {
  const { rows } = await sql<ExpiringCertificate>`
    update bank_connections set certificate_warned_days = ${days}
    where state not in ('draft', 'retired') and certificate_expires_at > ${tx.now}
      and certificate_expires_at <= ${tx.now}::timestamptz + ${days} * interval '1 day'
      and (certificate_warned_days is null or certificate_warned_days > ${days})
    returning id, merchant_id, bank, state, certificate_expires_at
  `.execute(tx.db);
  return rows;
}

/** Forgets the warnings about certificates that were replaced by ones that are valid for longer than this. */
export async function forgetWarnings(tx: Tx, days: number): Promise<void> {
  await sql`
    update bank_connections set certificate_warned_days = null
    where certificate_warned_days is not null and state <> 'retired'
      and certificate_expires_at > ${tx.now}::timestamptz + ${days} * interval '1 day'
  `.execute(tx.db);
}

/** Suspends the active accounts whose certificate has expired. Every process reads their rows again. */
export async function suspendExpired(tx: Tx, reason: string): Promise<ExpiringCertificate[]> {
  const { rows } = await sql<ExpiringCertificate>`
    update bank_connections
    set state = 'suspended', suspended_by = 'certificate', suspended_reason = ${reason}, updated_at = ${tx.now}
    where state = 'active' and certificate_expires_at <= ${tx.now}
    returning id, merchant_id, bank, state, certificate_expires_at
  `.execute(tx.db);
  return rows;
}
