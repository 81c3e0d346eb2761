import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { takeAttempt } from '../identity/index.ts';
import { reencode } from '../images/index.ts';
import { Refusal } from '../refusal.ts';
import { writeLogo } from './brand-store.ts';

/** Re-encoding pictures is expensive, so it is limited. */
const tries = { limit: 30, windowSeconds: 3600 };

/** Replaces a merchant's logo with the uploaded picture. Refused with IMAGE_NOT_ACCEPTED. */
export async function changeLogo(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  sent: Buffer,
): Promise<void> {
  await takeAttempt(deps, { key: `logo ${merchantId}`, ...tries });
  const [picture] = (await reencode([sent], 'logo')) ?? [];
  if (picture === undefined) throw new Refusal('IMAGE_NOT_ACCEPTED');
  await inTransaction(deps, (tx) => writeLogo(tx, merchantId, randomUUID(), picture.content));
}
