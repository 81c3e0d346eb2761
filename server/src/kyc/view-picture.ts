import type { KycSide } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { FileResponse } from '../http/file-response.ts';
import { readAccount } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import {
  deletePictureRows,
  deleteUpload,
  findSubmissionWithPicture,
  listDueForRemoval,
  listEndedUploads,
} from './store.ts';
import { pictureFileName, pictureFileNames } from './submission.ts';

type PictureRequest = { readonly actorId: number; readonly userId: number; readonly side: KycSide };

/**
 * Returns one picture of an account's identity documents in full size, from the newest submission that still has it.
 * The audit log records the view before the picture is sent.
 */
export async function viewPicture(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'files'>,
  { actorId, userId, side }: PictureRequest,
): Promise<FileResponse> {
  await readAccount(deps, userId);
  const submission = await findSubmissionWithPicture(deps.db, userId, side);
  if (submission === undefined) throw new Refusal('PICTURE_NOT_FOUND');
  const content = await deps.files.get(pictureFileName(submission, side));
  // The retention of the picture may just have ended: its file is removed before its row.
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
  return new FileResponse({ contentType: 'image/webp', fileName: `${side}.webp`, content, shown: true });
}

const batchSize = 100;
/**
 * How long an ended upload is left alone before its files are removed. After this time it surely cannot become a
 * submission any more, even if the clocks of two processes differ.
 */
const graceMs = 60 * 60_000;

type RemovingDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'log'>;

/**
 * Removes the pictures whose retention has ended, and the files of unfinished uploads. Files are removed before their
 * rows, so that the next run finds them again after a crash. If a file cannot be removed, its submission is left for
 * the next run, and the removal of others continues. Returns the number of submissions and uploads processed; throws if
 * some were due but none could be processed.
 */
export async function removeExpiredPictures(deps: RemovingDeps): Promise<number> {
  const now = deps.clock.now();
  const endedUploads = await listEndedUploads(deps.db, new Date(now.getTime() - graceMs), batchSize);
  const dueSubmissions = await listDueForRemoval(deps.db, now, batchSize);
  const failures: unknown[] = [];
  const removeFiles = async (submissionId: string, deleteRows: () => Promise<void>) => {
    try {
      for (const name of pictureFileNames(submissionId)) await deps.files.remove(name);
      await deleteRows();
    } catch (error) {
      failures.push(error);
      deps.log.warn({ err: error, submissionId }, 'pictures could not be removed and will be retried');
    }
  };
  for (const upload of endedUploads)
    await removeFiles(upload.submissionId, () => deleteUpload(deps.db, upload));
  for (const submission of dueSubmissions)
    await removeFiles(submission.submissionId, () =>
      inTransaction(deps, (tx) => deletePictureRows(tx, submission)),
    );
  const processed = endedUploads.length + dueSubmissions.length - failures.length;
  if (processed === 0 && failures.length > 0) throw failures[0];
  return processed;
}
