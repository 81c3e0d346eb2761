import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { deleteUpload, forgetPictures, listEndedUploads, listToRemove } from './store.ts';
import { filesOf } from './submission.ts';

const atOnce = 100;
/** Long enough that the upload can no longer become a submission, even if process clocks differ. */
const graceMs = 60 * 60_000;

type RemovingDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'log'>;

/**
 * Removes pictures whose retention has ended and files of unfinished uploads. Files are removed before their rows, so
 * that after a crash the next run finds them again. A submission whose file cannot be removed is left for the next run,
 * and the others continue. Returns how many were processed; throws if none of those due could be.
 */
export async function removePictures(deps: RemovingDeps): Promise<number> {
  const now = deps.clock.now();
  const left = await listEndedUploads(deps.db, new Date(now.getTime() - graceMs), atOnce);
  const due = await listToRemove(deps.db, now, atOnce);
  const failures: unknown[] = [];
  const remove = async (submissionId: string, forget: () => Promise<void>) => {
    try {
      for (const name of filesOf(submissionId)) await deps.files.remove(name);
      await forget();
    } catch (error) {
      failures.push(error);
      deps.log.warn({ err: error, submissionId }, 'pictures were not removed yet');
    }
  };
  for (const upload of left) await remove(upload.submissionId, () => deleteUpload(deps.db, upload));
  for (const submission of due)
    await remove(submission.submissionId, () => inTransaction(deps, (tx) => forgetPictures(tx, submission)));
  const worked = left.length + due.length - failures.length;
  if (worked === 0 && failures.length > 0) throw failures[0];
  return worked;
}
