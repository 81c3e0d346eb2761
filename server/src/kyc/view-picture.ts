import type { KycSide } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { FileResponse } from '../http/file-response.ts';
import { readAccount } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { findSubmissionWithPicture } from './store.ts';
import { pictureFileName } from './submission.ts';

type PictureRequest = { readonly actorId: number; readonly userId: number; readonly side: KycSide };

/**
 * Returns one picture of an account's identity documents (KYC, know your customer) in full size, from the newest
 * submission that still has it. The audit log records the view before the picture is sent.
 */
export async function viewPicture(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'files'>,
  { actorId, userId, side }: PictureRequest,
): Promise<FileResponse> {
  await readAccount(deps, userId);
  const submissionId = await findSubmissionWithPicture(deps.db, userId, side);
  if (submissionId === undefined) throw new Refusal('PICTURE_NOT_FOUND');
  const content = await deps.files.get(pictureFileName(submissionId, side));
  // A picture whose retention has just ended may have a row but no file, because the file is removed first.
  if (content === undefined) throw new Refusal('PICTURE_NOT_FOUND');
  await inTransaction(deps, (tx) =>
    insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'kyc picture seen',
      subject_id: userId,
      reason: null,
      before: {},
      after: { submission: submissionId, side },
    }),
  );
  const fileName = `${side}.webp`;
  // `shown`: the browser displays the picture instead of downloading it.
  return new FileResponse({ contentType: 'image/webp', fileName, content, isInline: true });
}
