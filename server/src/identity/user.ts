import { brlFromCents, docType, percentFromRate, role, type Taxes, type User } from '@jangada/contract';
import type { AccountRow } from './store.ts';

/** Maps an account to the API's form. */
export function userOf(row: AccountRow): User {
  return {
    id: String(row.id),
    name: row.name,
    username: row.username,
    email: row.email,
    avatar: row.avatar,
    approved: row.approved,
    role: role.parse(row.role),
    balance: brlFromCents(row.available_cents),
    apiActive: row.api_active,
    apiKey: row.masked_key ?? '',
    document: row.document,
    docType: docType.parse(row.doc_type),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    push_id: row.push_ids[0] ?? null,
    push_ids: row.push_ids,
    taxes: taxesOf(row),
  };
}

/** Maps an account's fees to the API's form. */
export function taxesOf(row: AccountRow): Taxes {
  return {
    pix: {
      in: percentFromRate(row.in_rate),
      out: percentFromRate(row.out_rate),
      fixIn: brlFromCents(row.fix_in_cents),
      fixOut: brlFromCents(row.fix_out_cents),
    },
    crypto: percentFromRate(row.crypto_rate),
    reserve: {
      enabled: row.reserve_enabled,
      percentage: percentFromRate(row.reserve_rate),
      liberationTime: row.reserve_days,
    },
  };
}
