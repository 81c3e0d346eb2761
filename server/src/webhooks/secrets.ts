import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { notifyOwner } from './notify-owner.ts';
import {
  ALL_CALLBACKS,
  insertSecrets,
  lockSecrets,
  retireSecrets,
  type SecretOwner,
  selectSecrets,
} from './secret-store.ts';

type SecretDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

// How long a rotated secret still signs beside the new one, so that a receiver has time to switch.
const rotationOverlapMs = 24 * 60 * 60_000;
// Each valid secret adds a signature to every webhook, so the limit bounds the headers if somebody rotates repeatedly.
const maxRotatedSecrets = 4;

/** The purpose for which secrets are encrypted (`seal`); decrypting them requires the same one. */
export const SEALING_PURPOSE = 'webhook-secret';

/**
 * Returns the signing secrets of each owner, the current one first. Callback addresses that have no secret yet get one
 * now; an endpoint gets its secret when it is created.
 */
export async function loadOrCreateSigningSecrets(
  { db, clock, secrets }: SecretDeps,
  owners: readonly SecretOwner[],
): Promise<(owner: SecretOwner) => readonly string[]> {
  if (owners.length === 0) return () => [];
  const now = clock.now();
  const known = await selectSecrets(db, owners, now);
  const ownersWithSecret = new Set(known.filter(({ expiresAt }) => expiresAt === null).map(keyOf));
  const ownersWithoutSecret = owners.filter(
    (owner) => owner.receiver === ALL_CALLBACKS && !ownersWithSecret.has(keyOf(owner)),
  );
  if (ownersWithoutSecret.length > 0)
    await insertSecrets(
      db,
      ownersWithoutSecret.map((owner) => sealedSecret(secrets, owner, newSecret())),
      now,
    );
  const rows = ownersWithoutSecret.length === 0 ? known : await selectSecrets(db, owners, now);
  const byOwner = Map.groupBy(rows, keyOf);
  return (owner) =>
    (byOwner.get(keyOf(owner)) ?? []).map(({ sealed }) => secrets.open(SEALING_PURPOSE, sealed));
}

function keyOf({ merchantId, receiver }: SecretOwner): string {
  return `${merchantId} ${receiver}`;
}

/**
 * Returns the current secret of an owner.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function readSecret(deps: SecretDeps, owner: SecretOwner): Promise<string> {
  const [secret] = (await loadOrCreateSigningSecrets(deps, [owner]))(owner);
  if (secret === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  return secret;
}

/**
 * Creates a new current secret and returns it. The previous one also signs for 24 hours.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function rotateSecret(deps: SecretDeps, owner: SecretOwner): Promise<string> {
  await readSecret(deps, owner);
  return inTransaction(deps, async (tx) => {
    if (!(await lockSecrets(tx, owner))) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    await retireSecrets(tx, {
      ...owner,
      until: new Date(tx.now.getTime() + rotationOverlapMs),
      kept: maxRotatedSecrets,
    });
    await notifyOwner(tx, owner.merchantId, 'rotated');
    return putSecret(tx, owner);
  });
}

/** Creates a secret for an owner that has no current one, stores it encrypted, and returns it. */
export async function putSecret(tx: TxWithSecrets, owner: SecretOwner): Promise<string> {
  const secret = newSecret();
  await insertSecrets(tx.db, [sealedSecret(tx.secrets, owner, secret)], tx.now);
  return secret;
}

function sealedSecret(secrets: Deps['secrets'], owner: SecretOwner, secret: string) {
  return { ...owner, id: randomUUID(), sealed: secrets.seal(SEALING_PURPOSE, secret) };
}

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The headers that prove to a receiver that a webhook is authentic and fresh (Standard Webhooks 1.0.0): one signature
 * per valid secret, so that a receiver can switch secrets while both are valid.
 */
export function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
