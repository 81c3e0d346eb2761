import { randomUUID } from 'node:crypto';
import { type Maker, type Scope, type ScopedKey, scopes } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { maskApiKey, newApiKey } from './api-key.ts';

const dayMs = 86_400_000;

/**
 * A scoped key as stored, without its hash: an API key for one of a merchant's systems. Its scopes say what it may do,
 * and it may have an expiry and a list of addresses from which alone it works.
 */
export type ScopedKeyRow = {
  readonly id: string;
  readonly name: string;
  readonly masked_key: string;
  readonly scopes: readonly string[];
  readonly allowed_addresses: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  /** When the expiry was last changed; null if never. */
  readonly expiry_set_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
  /** The id of the key that replaced this one in a rotation. */
  readonly successor: string | null;
  /** The person who made the key; null for keys from before accounts had members. */
  readonly created_by: number | null;
};

export type NewScopedKey = ScopedKeyRow & {
  readonly merchant_id: number;
  readonly key_hash: Buffer;
  /** The person who made the key. */
  readonly created_by: number;
};

type KeyDraft = Pick<ScopedKeyRow, 'name' | 'scopes' | 'allowed_addresses' | 'expires_at'> & {
  readonly merchant_id: number;
  readonly created_by: number;
};

/** Generates a key and its row, without storing the row. */
export function generateScopedKey(
  { secrets }: Pick<Deps, 'secrets'>,
  draft: KeyDraft,
  now: Date,
): { readonly apiKey: string; readonly row: NewScopedKey } {
  const apiKey = newApiKey();
  const row = {
    ...draft,
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

/** Removes duplicates, and puts scopes in the order in which the dashboard shows them. */
export function orderScopes(names: readonly string[]): Scope[] {
  return scopes.filter((scope) => names.includes(scope));
}

/**
 * Returns the requested expiry of a key, or null if the key is never to expire. Refused with KEY_EXPIRY_INVALID if the
 * expiry is not in the future.
 */
export function parseExpiry(
  request: { readonly expires_at?: string | null | undefined; readonly expires_in_days?: number | undefined },
  now: Date,
): Date | null {
  if (request.expires_in_days !== undefined) return new Date(now.getTime() + request.expires_in_days * dayMs);
  if (request.expires_at == null) return null;
  const expiresAt = new Date(request.expires_at);
  if (expiresAt <= now) throw new Refusal('KEY_EXPIRY_INVALID');
  return expiresAt;
}

export function isExpired({ expires_at }: Pick<ScopedKeyRow, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && expires_at <= now;
}

/** Converts a stored key to the form in which its owner sees it. */
export function scopedKeyOf(row: ScopedKeyRow, made_by: Maker | null, now: Date): ScopedKey {
  return {
    id: row.id,
    name: row.name,
    masked: row.masked_key,
    scopes: orderScopes(row.scopes),
    allowed_addresses: [...row.allowed_addresses],
    status: statusOf(row, now),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_address: row.last_used_address,
    made_by,
  };
}

function statusOf(row: ScopedKeyRow, now: Date): ScopedKey['status'] {
  if (isExpired(row, now)) return 'expired';
  return row.successor === null ? 'active' : 'replaced';
}
