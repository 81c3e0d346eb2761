import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { takeAttempt } from '../identity/index.ts';
import { reencode } from '../images/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { deleteAvatar, replaceAvatar, writeAddress } from './store.ts';

/** Limited because re-encoding pictures is costly and free of charge. */
const tries = { limit: 30, windowSeconds: 3600 };

type AvatarDeps = Pick<Deps, 'db' | 'clock'>;

/** Re-encodes and stores an account's avatar and returns its URL path. Refused with IMAGE_NOT_ACCEPTED. */
export async function changeAvatar(deps: AvatarDeps, merchantId: number, sent: Buffer): Promise<string> {
  await takeAttempt(deps, { key: `avatar ${merchantId}`, ...tries });
  const [picture] = (await reencode([sent], 'avatar')) ?? [];
  if (picture === undefined) throw new Refusal('IMAGE_NOT_ACCEPTED');
  const id = randomUUID();
  const address = `/api/avatars/${id}`;
  await inTransaction(deps, async (tx) => {
    await writeAddress(tx, merchantId, address);
    await replaceAvatar(tx, merchantId, id, picture.content);
    await writeMessages(tx, [{ merchantId, message: { type: 'account' } }]);
  });
  return address;
}

export async function removeAvatar(deps: AvatarDeps, merchantId: number): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await writeAddress(tx, merchantId, '');
    await deleteAvatar(tx, merchantId);
    await writeMessages(tx, [{ merchantId, message: { type: 'account' } }]);
  });
}
