import { randomUUID } from 'node:crypto';
import { avatarPicture, removeAvatar as removeAvatarEndpoint, uploadAvatar } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { FileResponse } from '../http/file-response.ts';
import { type Route, route } from '../http/route.ts';
import { enforceAttemptLimit, updateAvatarPath } from '../identity/index.ts';
import { reencode } from '../images/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';

const success = { success: true } as const;

export function avatarRoutes(deps: Deps): Route[] {
  return [
    route(uploadAvatar, async ({ caller, files }) => ({
      ...success,
      avatar: await changeAvatar(deps, caller.userId, files.avatar),
    })),
    route(removeAvatarEndpoint, async ({ caller }) => {
      await removeAvatar(deps, caller.userId);
      return success;
    }),
    route(avatarPicture, async ({ params }) => {
      const content = await findAvatar(deps.db, params.id);
      if (content === undefined) throw new Refusal('PICTURE_NOT_FOUND');
      // The browser displays the picture and may cache it for good, because a changed avatar gets a new id.
      return new FileResponse({
        contentType: 'image/webp',
        fileName: 'avatar.webp',
        content,
        isInline: true,
        immutable: true,
      });
    }),
  ];
}

/** Limited because re-encoding pictures is costly for the gateway and free for the caller. */
const attemptLimit = { limit: 30, windowSeconds: 3600 };

type AvatarDeps = Pick<Deps, 'db' | 'clock'>;

/** Re-encodes and stores an account's avatar and returns its URL path. Refused with IMAGE_NOT_ACCEPTED. */
export async function changeAvatar(deps: AvatarDeps, merchantId: number, upload: Buffer): Promise<string> {
  await enforceAttemptLimit(deps, { key: `avatar ${merchantId}`, ...attemptLimit });
  const [picture] = (await reencode([upload], 'avatar')) ?? [];
  if (picture === undefined) throw new Refusal('IMAGE_NOT_ACCEPTED');
  const id = randomUUID();
  const urlPath = `/api/avatars/${id}`;
  await inTransaction(deps, async (tx) => {
    await updateAvatarPath(tx, merchantId, urlPath);
    await replaceAvatar(tx, merchantId, id, picture.content);
    await writeMessages(tx, [{ merchantId, message: { type: 'account' } }]);
  });
  return urlPath;
}

async function removeAvatar(deps: AvatarDeps, merchantId: number): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await updateAvatarPath(tx, merchantId, '');
    await deleteAvatar(tx, merchantId);
    await writeMessages(tx, [{ merchantId, message: { type: 'account' } }]);
  });
}

async function findAvatar(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('avatars').select('content').where('id', '=', id).executeTakeFirst();
  return row?.content;
}

async function replaceAvatar(tx: Tx, merchantId: number, id: string, content: Buffer): Promise<void> {
  const avatar = { id, content, created_at: tx.now };
  await tx.db
    .insertInto('avatars')
    .values({ merchant_id: merchantId, ...avatar })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(avatar))
    .execute();
}

async function deleteAvatar(tx: Tx, merchantId: number): Promise<void> {
  await tx.db.deleteFrom('avatars').where('merchant_id', '=', merchantId).execute();
}
