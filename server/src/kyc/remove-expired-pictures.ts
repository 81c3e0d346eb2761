import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  deletePictureRows,
  deleteUpload,
  listAbandonedUploads,
  listSubmissionsDueForRemoval,
} from './store.ts';
import { pictureFileNames } from './submission.ts';

/** The maximum number of abandoned uploads, and of submissions, in one run. */
const batchSize = 100;
/**
 * How long after its deadline an upload is left alone before its files are removed. After this time it surely cannot
 * become a submission any more, even if the clocks of two processes differ.
 */
const graceMs = 60 * 60_000;

type RemovalDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'log'>;

/**
 * Removes the pictures of identity documents (KYC, know your customer) whose retention has ended, and the files of
 * abandoned uploads: those that did not become a submission before their deadline, for example because of a crash.
 *
 * Files are removed before their rows, so that the next run finds them again after a crash. If a file cannot be
 * removed, its upload or submission is left for the next run, and the others are still processed. Returns the number of
 * uploads and submissions processed; throws if some were due but none could be processed.
 */
export async function removeExpiredPictures(deps: RemovalDeps): Promise<number> {
  const now = deps.clock.now();
  const abandonedUploads = await listAbandonedUploads(deps.db, new Date(now.getTime() - graceMs), batchSize);
  const dueSubmissions = await listSubmissionsDueForRemoval(deps.db, now, batchSize);
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
  for (const upload of abandonedUploads)
    await removeFiles(upload.submissionId, () => deleteUpload(deps.db, upload));
  for (const submission of dueSubmissions)
    await removeFiles(submission.submissionId, () =>
      inTransaction(deps, (tx) => deletePictureRows(tx, submission)),
    );
  const processedCount = abandonedUploads.length + dueSubmissions.length - failures.length;
  if (processedCount === 0 && failures.length > 0) throw failures[0];
  return processedCount;
}
