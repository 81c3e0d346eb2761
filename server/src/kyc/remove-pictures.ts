import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { deleteUpload, forgetPictures, listEndedUploads, listToRemove } from './store.ts';
import { filesOf } from './submission.ts';

const atOnce = 100;
/** Long after an upload may still become a submission, whatever the clocks of processes say. */
const graceMs = 60 * 60_000;

/**
 * Removes pictures whose time is over, and what uploads left that came to no end. The files go first and their rows
 * after them: whoever dies in between has the next one find them again. Answers how many submissions it worked.
 */
export async function removePictures(deps: Pick<Deps, 'db' | 'clock' | 'files'>): Promise<number> {
  const now = deps.clock.now();
  const left = await listEndedUploads(deps.db, new Date(now.getTime() - graceMs), atOnce);
  for (const upload of left) {
    await removeFiles(deps, upload.submissionId);
    await deleteUpload(deps.db, upload);
  }
  const due = await listToRemove(deps.db, now, atOnce);
  for (const submission of due) {
    await removeFiles(deps, submission.submissionId);
    await inTransaction(deps, (tx) => forgetPictures(tx, submission));
  }
  return left.length + due.length;
}

async function removeFiles({ files }: Pick<Deps, 'files'>, submissionId: string): Promise<void> {
  for (const name of filesOf(submissionId)) await files.remove(name);
}
