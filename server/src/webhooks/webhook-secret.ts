import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { notifyOwner } from './notify-owner.ts';
import { insertSecrets, lockSecrets, retireSecrets, selectSecrets } from './secret-store.ts';
import { newSecret } from './signature.ts';

type SecretDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

const rotatedCountsMs = 24 * 60 * 60_000;
// Each secret signs every webhook, so the limit bounds the headers when someone rotates repeatedly.
const rotatedKept = 4;

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
