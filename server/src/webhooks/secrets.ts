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

/*
 * The secrets with which webhooks are signed. Each endpoint of a merchant has one, and all callback addresses of the
 * merchant share one (`SecretOwner`). After a rotation the previous secret signs too, for a day.
 */

type SecretDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

// How long a rotated secret still signs beside the new one, so that a receiver has time to switch.
const rotationOverlapMs = 24 * 60 * 60_000;
// How many rotated secrets may sign at once. Each adds a signature to every webhook, so repeated rotation would make
// the header ever longer.
const maxRotatedSecrets = 4;

/** The label under which secrets are encrypted (`seal`). Decryption (`open`) fails under any other label. */
export const SEALING_PURPOSE = 'webhook-secret';

/**
 * Returns a function that gives the valid secrets of an owner, the current one first. An endpoint gets its secret when
 * it is created, but callback addresses only when they first need one, which is now.
 */
export async function loadOrCreateSigningSecrets(
  { db, clock, secrets }: SecretDeps,
  owners: readonly SecretOwner[],
): Promise<(owner: SecretOwner) => readonly string[]> {
  if (owners.length === 0) return () => [];
  const now = clock.now();
  const existing = await selectSecrets(db, owners, now);
  const ownersWithSecret = new Set(existing.filter(({ expiresAt }) => expiresAt === null).map(ownerKey));
  const ownersWithoutSecret = owners.filter(
    (owner) => owner.receiver === ALL_CALLBACKS && !ownersWithSecret.has(ownerKey(owner)),
  );
  if (ownersWithoutSecret.length > 0)
    await insertSecrets(
      db,
      ownersWithoutSecret.map((owner) => sealSecret(secrets, owner, generateSecret())),
      now,
    );
  // Read again, because another process may have inserted a secret first, and that one counts.
  const rows = ownersWithoutSecret.length === 0 ? existing : await selectSecrets(db, owners, now);
  const secretsByOwner = Map.groupBy(rows, ownerKey);
  return (owner) =>
    (secretsByOwner.get(ownerKey(owner)) ?? []).map(({ sealed }) => secrets.open(SEALING_PURPOSE, sealed));
}

function ownerKey({ merchantId, receiver }: SecretOwner): string {
  return `${merchantId} ${receiver}`;
}

/**
 * Returns the current secret of an owner. Callback addresses that have none yet get one.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function readCurrentSecret(deps: SecretDeps, owner: SecretOwner): Promise<string> {
  const [secret] = (await loadOrCreateSigningSecrets(deps, [owner]))(owner);
  if (secret === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  return secret;
}

/**
 * Creates a new current secret and returns it. The previous one also signs for 24 hours.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND, also if the endpoint is removed during the call
 */
export async function rotateSecret(deps: SecretDeps, owner: SecretOwner): Promise<string> {
  // Callback addresses that have no secret yet get one here, so that there is always one to retire.
  await readCurrentSecret(deps, owner);
  return inTransaction(deps, async (tx) => {
    if (!(await lockSecrets(tx, owner))) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    await retireSecrets(tx, {
      ...owner,
      until: new Date(tx.now.getTime() + rotationOverlapMs),
      maxKept: maxRotatedSecrets,
    });
    await notifyOwner(tx, owner.merchantId, 'rotated');
    return createSecret(tx, owner);
  });
}

/** Creates the current secret of an owner that has none, stores it encrypted, and returns it. */
export async function createSecret(tx: TxWithSecrets, owner: SecretOwner): Promise<string> {
  const secret = generateSecret();
  await insertSecrets(tx.db, [sealSecret(tx.secrets, owner, secret)], tx.now);
  return secret;
}

/** Builds the row of a new secret, with the secret encrypted. */
function sealSecret(secrets: Deps['secrets'], owner: SecretOwner, secret: string) {
  return { ...owner, id: randomUUID(), sealed: secrets.seal(SEALING_PURPOSE, secret) };
}

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
function generateSecret(): string {
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
