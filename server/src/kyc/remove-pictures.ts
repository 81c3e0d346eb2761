import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { deleteUpload, forgetPictures, listEndedUploads, listToRemove } from './store.ts';
import { filesOf } from './submission.ts';

const atOnce = 100;
/** Long after an upload may still become a submission, whatever the clocks of processes say. */
const graceMs = 60 * 60_000;

type RemovingDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'log'>;

/**
 * Removes pictures whose time is over, and what uploads left that came to no end. The files go first and their rows
 * after them: whoever dies in between has the next one find them again. Where a file does not go, its submission stays
 * for the next time and the others go on. Answers how many it worked; throws when it could work none of those due.
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
