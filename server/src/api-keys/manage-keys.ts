import {
  type BodyOf,
  type createScopedKey,
  MAX_SCOPED_KEYS,
  moneyScopes,
  type ScopedKey,
  type updateScopedKey,
} from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { enforceAttemptLimit, readMaker } from '../identity/index.ts';
import { refuseWhileHeld } from '../money-hold.ts';
import { Refusal } from '../refusal.ts';
import { normalizeAllowedAddresses } from './allowed-addresses.ts';
import { notifyKeyChange } from './notify-key-change.ts';
import {
  generateScopedKey,
  isExpired,
  orderScopes,
  parseExpiry,
  type ScopedKeyRow,
  scopedKeyOf,
} from './scoped-key.ts';
import {
  countKeys,
  findScopedKey,
  insertScopedKey,
  lockAccountOfKeys,
  updateKey,
} from './scoped-key-store.ts';

/** A new key in plain text, which is shown only this once, and its description. */
type CreatedKey = { readonly apiKey: string; readonly key: ScopedKey };

/** Who makes or changes a key: the account's owner, unless it is said. */
type KeyMaker = Pick<Caller, 'userId' | 'memberRole'>;
const ownerOf = (merchantId: number): KeyMaker => ({ userId: merchantId, memberRole: 'owner' });

/** Refuses a key that moves money to whoever is not an owner, since it could do what they may not. */
function refuseMoneyScopes({ memberRole }: KeyMaker, scopes: readonly string[]): void {
  if (memberRole === 'owner' || !moneyScopes.some((scope) => scopes.includes(scope))) return;
  throw new Refusal('MEMBER_ROLE_MISSING', {
    message: 'Só um dono da conta cria, altera ou troca uma chave que estorna ou saca.',
    details: { role: memberRole, roles: ['owner'] },
  });
}

async function describeKey(tx: Tx, merchantId: number, row: ScopedKeyRow): Promise<ScopedKey> {
  return scopedKeyOf(row, await readMaker(tx.db, { merchantId, madeBy: row.created_by }), tx.now);
}

/**
 * Refuses a new way for keys to move money while the account, or what the maker asks for, is held. A key in place of
 * another one is none: whoever fears for a key must be able to replace it.
 */
async function refuseMoneyWhileHeld(
  tx: Tx,
  merchantId: number,
  { userId }: KeyMaker,
  addedScopes: readonly string[],
): Promise<void> {
  if (moneyScopes.some((scope) => addedScopes.includes(scope)))
    await refuseWhileHeld(tx, { merchantId, userId }, 'não se criam chaves que movem dinheiro');
}

/** Creation is limited, because the rows of expired and revoked keys are kept, and so accumulate. */
const creationLimit = { limit: 60, windowSeconds: 3600 };

/**
 * Creates a key for one of a merchant's systems (a scoped key) and returns it; the key cannot be read again later.
 * Refused with MEMBER_ROLE_MISSING, ACCOUNT_NOT_APPROVED, KEY_LIMIT, KEY_ADDRESS_INVALID, KEY_EXPIRY_INVALID or
 * RATE_LIMITED.
 */
export async function createKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  request: BodyOf<typeof createScopedKey>,
  maker = ownerOf(merchantId),
): Promise<CreatedKey> {
  refuseMoneyScopes(maker, request.scopes);
  const allowed_addresses = normalizeAllowedAddresses(request.allowed_addresses);
  await enforceAttemptLimit(deps, { key: `api key ${merchantId}`, ...creationLimit });
  return inTransaction(deps, async (tx) => {
    const { approved } = await lockKeyOwner(tx, merchantId);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    await refuseMoneyWhileHeld(tx, merchantId, maker, request.scopes);
    const { apiKey, row } = generateScopedKey(
      deps,
      {
        merchant_id: merchantId,
        name: request.name,
        scopes: orderScopes(request.scopes),
        allowed_addresses,
        expires_at: parseExpiry(request, tx.now),
        created_by: maker.userId,
      },
      tx.now,
    );
    await insertScopedKey(tx, row);
    await refuseTooManyKeys(tx, merchantId);
    await notifyKeyChange(tx, merchantId, 'created', row);
    return { apiKey, key: await describeKey(tx, merchantId, row) };
  });
}

/**
 * Changes a key's name, scopes, allowed addresses or expiry. The change takes effect with the key's next call. An
 * expired key may be extended. Refused with MEMBER_ROLE_MISSING, KEY_NOT_FOUND, KEY_REPLACED, KEY_LIMIT,
 * KEY_ADDRESS_INVALID or KEY_EXPIRY_INVALID.
 */
export async function changeKey(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  { id, request }: { readonly id: string; readonly request: BodyOf<typeof updateScopedKey> },
  maker = ownerOf(merchantId),
): Promise<ScopedKey> {
  const allowed_addresses = normalizeAllowedAddresses(request.allowed_addresses);
  return inTransaction(deps, async (tx) => {
    await lockKeyOwner(tx, merchantId);
    const before = await findScopedKey(tx, merchantId, id);
    if (before === undefined) throw new Refusal('KEY_NOT_FOUND');
    if (before.successor !== null) throw new Refusal('KEY_REPLACED');
    refuseMoneyScopes(maker, [...before.scopes, ...request.scopes]);
    const addedScopes = request.scopes.filter((scope) => !before.scopes.includes(scope));
    await refuseMoneyWhileHeld(tx, merchantId, maker, addedScopes);
    const expires_at = parseExpiry(request, tx.now);
    const change = { name: request.name, scopes: orderScopes(request.scopes), allowed_addresses, expires_at };
    const hasNewExpiry = before.expires_at?.getTime() !== expires_at?.getTime();
    await updateKey(tx, merchantId, id, {
      ...change,
      ...(hasNewExpiry && { expiry_set_at: tx.now, expiry_told_at: null }),
    });
    // An expired key that is extended works again, and so counts towards the limit.
    if (isExpired(before, tx.now)) await refuseTooManyKeys(tx, merchantId);
    const after = { ...before, ...change };
    // A new name alone changes nothing about access, so the owner is not notified of it.
    if (hasNewExpiry || permissionsOf(after) !== permissionsOf(before))
      await notifyKeyChange(tx, merchantId, 'changed', after);
    return describeKey(tx, merchantId, after);
  });
}

function permissionsOf({ scopes, allowed_addresses }: ScopedKeyRow): string {
  return JSON.stringify([scopes, allowed_addresses]);
}

const hourMs = 3_600_000;
const rotationLimit = { limit: 60, windowSeconds: 3600 };

/**
 * Replaces a key by a new one with the same permissions and lifetime, and returns the new key, which cannot be read
 * again later. The old key keeps working for `overlapHours`, unless it expires earlier. Refused with
 * MEMBER_ROLE_MISSING, ACCOUNT_NOT_APPROVED, KEY_NOT_FOUND, KEY_REPLACED, KEY_LIMIT or RATE_LIMITED.
 */
export async function rotateKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
  maker = ownerOf(merchantId),
): Promise<CreatedKey> {
  await enforceAttemptLimit(deps, { key: `api key rotation ${merchantId}`, ...rotationLimit });
  return inTransaction(deps, async (tx) => {
    const { approved } = await lockKeyOwner(tx, merchantId);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    const old = await findScopedKey(tx, merchantId, id);
    if (old === undefined) throw new Refusal('KEY_NOT_FOUND');
    if (old.successor !== null) throw new Refusal('KEY_REPLACED');
    refuseMoneyScopes(maker, old.scopes);
    const { name, scopes, allowed_addresses } = old;
    const inherited = { name, scopes, allowed_addresses, expires_at: renewedExpiry(old, tx.now) };
    const draft = { merchant_id: merchantId, created_by: maker.userId, ...inherited };
    const { apiKey, row } = generateScopedKey(deps, draft, tx.now);
    await insertScopedKey(tx, row);
    const overlapEnd = new Date(tx.now.getTime() + overlapHours * hourMs);
    const expiresEarlier = old.expires_at !== null && old.expires_at < overlapEnd;
    await updateKey(tx, merchantId, id, {
      successor: row.id,
      ...(!expiresEarlier && { expires_at: overlapEnd }),
    });
    await refuseTooManyKeys(tx, merchantId);
    await notifyKeyChange(tx, merchantId, 'rotated', row);
    return { apiKey, key: await describeKey(tx, merchantId, row) };
  });
}

/** Returns an expiry that gives the new key as much time from now as the old key had when its expiry was set. */
function renewedExpiry({ created_at, expiry_set_at, expires_at }: ScopedKeyRow, now: Date): Date | null {
  if (expires_at === null) return null;
  const lifetimeStart = expiry_set_at ?? created_at;
  return new Date(now.getTime() + expires_at.getTime() - lifetimeStart.getTime());
}

/**
 * Locks the account until commit, so that changes to its keys run one after another. Refused with ACCOUNT_FROZEN if the
 * account was frozen after the call arrived.
 */
export async function lockKeyOwner(tx: Tx, merchantId: number): Promise<{ readonly approved: boolean }> {
  const { approved, frozen_at } = await lockAccountOfKeys(tx, merchantId);
  if (frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
  return { approved };
}

/**
 * Refuses with KEY_LIMIT when an account has too many working keys. Replaced keys are counted separately, so that a
 * merchant at the limit can still rotate each key.
 */
async function refuseTooManyKeys(tx: Tx, merchantId: number): Promise<void> {
  const { inUse, replaced } = await countKeys(tx, merchantId);
  if (inUse > MAX_SCOPED_KEYS) throw new Refusal('KEY_LIMIT');
  if (replaced > MAX_SCOPED_KEYS)
    throw new Refusal('KEY_LIMIT', {
      message: 'Há chaves trocadas demais que ainda valem. Revogue as antigas antes de trocar outra.',
    });
}
