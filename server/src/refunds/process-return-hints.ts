import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import { deferHints, finishHints, takeHints } from '../psp/index.ts';
import { bookReturnsOfPix } from './book-returns-of-pix.ts';

const takenTogether = 50;
const questionsAtOnce = 4;

/**
 * Processes the bank's hints about returns. A return that the bank does not report yet is retried. Returns how many
 * hints were taken.
 */
export async function processReturnHints(deps: Deps): Promise<number> {
  const hints = await inTransaction(deps, (tx) => takeHints(tx, 'return', takenTogether));
  if (hints.length === 0) return 0;
  const booked = await mapBounded(hints, questionsAtOnce, ({ reference }) => isBooked(deps, reference));
  const [done, open] = [true, false].map((wanted) => hints.filter((_, at) => booked[at] === wanted));
  await inTransaction(deps, (tx) => finishHints(tx, done ?? []));
  await inTransaction(deps, (tx) => deferHints(tx, open ?? []));
  return hints.length;
}

async function isBooked(deps: Deps, endToEndId: string): Promise<boolean> {
  try {
    return await bookReturnsOfPix(deps, endToEndId);
  } catch (err) {
    deps.log.warn({ err, endToEndId }, 'what went back of a Pix could not be booked');
    return false;
  }
}
