import { randomUUID } from 'node:crypto';
import { inTransaction, type KeyedTx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import type { Delivery } from './delivery.ts';
import {
  insertEndpointSecret,
  lockEndpointSecrets,
  retireEndpointSecrets,
  selectEndpointSecrets,
} from './endpoint-secret-store.ts';
import { notifyOwner } from './notify-owner.ts';
import { newSecret } from './signature.ts';

type SecretDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

const rotatedCountsMs = 24 * 60 * 60_000;
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
