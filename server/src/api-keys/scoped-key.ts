import { randomUUID } from 'node:crypto';
import { type Scope, type ScopedKey, scopes } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { maskApiKey, newApiKey } from './api-key.ts';

const dayMs = 86_400_000;

/** A scoped key as stored, without its hash. */
export type ScopedKeyRow = {
  readonly id: string;
  readonly name: string;
  readonly masked_key: string;
  readonly scopes: readonly string[];
  readonly allowed_addresses: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  /** When its expiry was last changed; null if never. */
  readonly expiry_set_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
  readonly successor: string | null;
};

export type NewScopedKey = ScopedKeyRow & { readonly merchant_id: number; readonly key_hash: Buffer };

type Wanted = Pick<ScopedKeyRow, 'name' | 'scopes' | 'allowed_addresses' | 'expires_at'> & {
  readonly merchant_id: number;
};

/** Generates a key and its row, without storing it. */
export function draftKey(
  { secrets }: Pick<Deps, 'secrets'>,
  wanted: Wanted,
  now: Date,
): { readonly apiKey: string; readonly row: NewScopedKey } {
  const apiKey = newApiKey();
  const row = {
    ...wanted,
    id: randomUUID(),
    key_hash: secrets.hash('api-key', apiKey),
    masked_key: maskApiKey(apiKey),
    created_at: now,
    expiry_set_at: null,
    last_used_at: null,
    last_used_address: null,
    successor: null,
  };
  return { apiKey, row };
}

/** Removes duplicates and puts scopes in the order in which they are displayed. */
export function orderScopes(given: readonly string[]): Scope[] {
  return scopes.filter((scope) => given.includes(scope));
}

/**
 * Returns the expiry of a key; null if it never expires. Refused with KEY_EXPIRY_INVALID if it is not in the future.
 */
export function readExpiry(
  wanted: { readonly expires_at?: string | null | undefined; readonly expires_in_days?: number | undefined },
  now: Date,
): Date | null {
  if (wanted.expires_in_days !== undefined) return new Date(now.getTime() + wanted.expires_in_days * dayMs);
  if (wanted.expires_at == null) return null;
  const expiresAt = new Date(wanted.expires_at);
  if (expiresAt <= now) throw new Refusal('KEY_EXPIRY_INVALID');
  return expiresAt;
}

export function isExpired({ expires_at }: Pick<ScopedKeyRow, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && expires_at <= now;
}

/** Maps a key row to the form its owner sees. */
export function scopedKeyOf(row: ScopedKeyRow, now: Date): ScopedKey {
  return {
    id: row.id,
    name: row.name,
    masked: row.masked_key,
    scopes: orderScopes(row.scopes),
    allowed_addresses: [...row.allowed_addresses],
    status: isExpired(row, now) ? 'expired' : row.successor === null ? 'active' : 'replaced',
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_address: row.last_used_address,
  };
}
