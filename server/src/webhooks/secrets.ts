import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { inTransaction, type KeyedTx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import type { Delivery } from './delivery.ts';
import { notifyOwner } from './notify-owner.ts';
import {
  insertEndpointSecret,
  insertSecrets,
  lockEndpointSecrets,
  lockSecrets,
  retireEndpointSecrets,
  retireSecrets,
  selectEndpointSecrets,
  selectSecrets,
} from './secret-store.ts';

type SecretDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

const rotatedCountsMs = 24 * 60 * 60_000;
// Each secret signs every webhook, so the limit bounds the headers when someone rotates repeatedly.
const rotatedKept = 4;

/** The signing secrets of each enabled endpoint of these deliveries, by its id; the current one first. */
export async function endpointSecrets(
  { db, clock, secrets }: SecretDeps,
  deliveries: readonly Pick<Delivery, 'merchantId' | 'endpointId'>[],
): Promise<Map<string, string[]>> {
  const asked = new Map(
    deliveries.flatMap(({ merchantId, endpointId: id }) =>
      id === null ? [] : [[id, { merchantId, id }] as const],
    ),
  );
  if (asked.size === 0) return new Map();
  const rows = await selectEndpointSecrets(db, [...asked.values()], clock.now());
  const byEndpoint = Map.groupBy(
    rows.filter(({ state }) => state === 'on'),
    ({ endpointId }) => endpointId,
  );
  return new Map(
    [...byEndpoint].map(([id, sealed]) => [id, sealed.map((one) => secrets.open(SEALED_AS, one.sealed))]),
  );
}

/** The purpose under which endpoint secrets are sealed. */
export const SEALED_AS = 'webhook-secret';

/** Creates a new current secret for an endpoint. The previous one, if any, also signs for 24 hours. */
export async function putEndpointSecret(
  tx: KeyedTx,
  merchantId: number,
  endpointId: string,
): Promise<string> {
  const secret = newSecret();
  await lockEndpointSecrets(tx, merchantId, endpointId);
  const until = new Date(tx.now.getTime() + rotatedCountsMs);
  await retireEndpointSecrets(tx, { merchantId, endpointId, until, kept: rotatedKept });
  await insertEndpointSecret(tx, {
    merchantId,
    endpointId,
    id: randomUUID(),
    sealed: tx.secrets.seal(SEALED_AS, secret),
  });
  return secret;
}

/** @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND */
export async function rotateEndpointSecret(
  deps: SecretDeps,
  merchantId: number,
  id: string,
): Promise<string> {
  return inTransaction(deps, async (tx) => {
    const [known] = await selectEndpointSecrets(tx.db, [{ merchantId, id }], tx.now);
    if (known === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    await notifyOwner(tx, merchantId, 'rotated');
    return putEndpointSecret(tx, merchantId, id);
  });
}

/**
 * The current secret of an endpoint.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function readEndpointSecret(deps: SecretDeps, merchantId: number, id: string): Promise<string> {
  const [inForce] = await selectEndpointSecrets(deps.db, [{ merchantId, id }], deps.clock.now());
  if (inForce === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  invariant(inForce.expiresAt === null, 'an endpoint is without a secret in force');
  return deps.secrets.open(SEALED_AS, inForce.sealed);
}

/** The signing secrets of each merchant, the current one first. Creates one for merchants without any. */
export async function signingSecrets(
  { db, clock, secrets }: SecretDeps,
  merchantIds: readonly number[],
): Promise<Map<number, string[]>> {
  if (merchantIds.length === 0) return new Map();
  const now = clock.now();
  const known = await selectSecrets(db, merchantIds, now);
  const inForce = new Set(known.filter(({ expiresAt }) => expiresAt === null).map((one) => one.merchantId));
  const without = [...new Set(merchantIds)].filter((merchantId) => !inForce.has(merchantId));
  if (without.length > 0)
    await insertSecrets(
      db,
      without.map((id) => sealedSecret(secrets, id)),
      now,
    );
  const rows = without.length === 0 ? known : await selectSecrets(db, merchantIds, now);
  const byMerchant = Map.groupBy(rows, ({ merchantId }) => merchantId);
  return new Map(
    [...byMerchant].map(([merchantId, sealed]) => [
      merchantId,
      sealed.map((one) => secrets.open('webhook-secret', one.sealed)),
    ]),
  );
}

/** The current secret of a merchant. */
export async function readWebhookSecret(deps: SecretDeps, merchantId: number): Promise<string> {
  const secret = (await signingSecrets(deps, [merchantId])).get(merchantId)?.[0];
  invariant(secret !== undefined, 'a merchant is without a webhook secret');
  return secret;
}

/** Creates a new current secret. The previous one also signs for 24 hours. */
export async function rotateWebhookSecret(deps: SecretDeps, merchantId: number): Promise<string> {
  await readWebhookSecret(deps, merchantId);
  const secret = newSecret();
  await inTransaction(deps, async (tx) => {
    await lockSecrets(tx, merchantId);
    await retireSecrets(tx, merchantId, new Date(tx.now.getTime() + rotatedCountsMs), rotatedKept);
    await insertSecrets(tx.db, [sealedSecret(deps.secrets, merchantId, secret)], tx.now);
    await notifyOwner(tx, merchantId, 'rotated');
  });
  return secret;
}

function sealedSecret(secrets: Deps['secrets'], merchantId: number, secret = newSecret()) {
  return { merchantId, id: randomUUID(), sealed: secrets.seal('webhook-secret', secret) };
}

/** A new secret in the format of the standard: `whsec_` and 32 random bytes in base64. */
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
