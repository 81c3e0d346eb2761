import type { KycSide } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { FileAnswer } from '../http/file-answer.ts';
import { readAccount } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { findPicture } from './store.ts';
import { fileOf } from './submission.ts';

type Wanted = { readonly actorId: number; readonly userId: number; readonly side: KycSide };

/** Returns a picture of an account's newest submission in full size. The view is recorded in the audit log first. */
export async function viewPicture(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'files'>,
  { actorId, userId, side }: Wanted,
): Promise<FileAnswer> {
  await readAccount(deps, userId);
  const submission = await findPicture(deps.db, userId, side);
  if (submission === undefined) throw new Refusal('PICTURE_NOT_FOUND');
  const content = await deps.files.get(fileOf(submission, side));
  // Its retention may just have ended: the file is removed before the row.
  if (content === undefined) throw new Refusal('PICTURE_NOT_FOUND');
  await inTransaction(deps, (tx) =>
    insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'kyc picture seen',
      subject_id: userId,
      reason: null,
      before: {},
      after: { submission, side },
    }),
  );
  return new FileAnswer({ contentType: 'image/webp', fileName: `${side}.webp`, content, shown: true });
}
