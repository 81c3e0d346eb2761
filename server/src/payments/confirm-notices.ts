import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../batcher.ts';
import type { Deps } from '../deps.ts';
import { type BankReceivedPix, PspRefused, PspUnknown, type WaitingNotice } from '../psp/index.ts';

/** The bank's answer about a notice. Denied: it does not know the Pix, for now. Unknown: it did not answer. */
export type Confirmation =
  | { readonly is: 'confirmed'; readonly pix: BankReceivedPix }
  | { readonly is: 'denied' | 'unknown' };

type ConfirmDeps = Pick<Deps, 'psp' | 'clock' | 'log'>;

const questionsAtOnce = 16;
/**
 * With fewer queries than this in flight, the next few notices are looked up one by one, which is fastest for them.
 */
const idleQuestions = 4;
const fewNotices = 4;
const noticesTogether = 1000;
const listsAtOnce = 1;
const restMs = 25;
/** Within these limits a list should show all of them; the rest are looked up one by one. */
const mostPages = 3;
const listPatienceMs = 2000;
const listRestMs = 60_000;
/** A notice whose claimed time is this far from most others is looked up alone: the list would be too long. */
const nearMs = 5 * 60_000;

/**
 * Confirms notices with the bank. A single notice is looked up at once (`GET /pix/{endToEndId}`). Many are confirmed
 * by one list (`GET /pix?inicio&fim`) over their claimed payment times, and only the bank's own list counts; a Pix
 * missing from it is looked up alone. If lists are slow or refused, only single look-ups are used for a minute.
 */
export function createConfirmations(deps: ConfirmDeps) {
  let asking = 0;
  let noListsBefore = 0;

  const questions = createBatcher<WaitingNotice, Confirmation>({
    most: 1,
    atOnce: questionsAtOnce,
    work: async (notices) => Promise.all(notices.map(({ endToEndId }) => askFor(deps, endToEndId))),
  });

  const lists = createBatcher<WaitingNotice, BankReceivedPix | undefined>({
    most: noticesTogether,
    atOnce: listsAtOnce,
    restMs,
    work: async (notices) => {
      const few = notices.length < fewNotices && asking < idleQuestions;
      const found = few || performance.now() < noListsBefore ? new Map() : await listFor(notices);
      return notices.map(({ endToEndId }) => found.get(endToEndId));
    },
  });

  async function listFor(notices: readonly WaitingNotice[]): Promise<ReadonlyMap<string, BankReceivedPix>> {
    const found = new Map<string, BankReceivedPix>();
    const claimed = nearEachOther(notices, deps.clock.now());
    if (claimed.length < fewNotices) return found;
    const wanted = new Set(claimed.map(({ endToEndId }) => endToEndId));
    const times = claimed.map(({ claimedAt }) => claimedAt.getTime());
    const reading = readWindow(deps, wanted, Math.min(...times), Math.max(...times), found).catch(
      (error: unknown) => error,
    );
    const trouble = await Promise.race([reading, pause(listPatienceMs, 'the list took too long')]);
    // A list that returned something is worth using again.
    if (trouble !== undefined && found.size === 0) {
      noListsBefore = performance.now() + listRestMs;
      deps.log.warn({ err: trouble }, 'the list of received Pix could not be read from the bank');
    }
    return found;
  }

  return async (notice: WaitingNotice): Promise<Confirmation> => {
    const pix = await lists.add(notice);
    if (pix !== undefined) return { is: 'confirmed', pix };
    asking += 1;
    return questions.add(notice).finally(() => {
      asking -= 1;
    });
  };
}

type Claim = { readonly endToEndId: string; readonly claimedAt: Date };

/** The notices whose claimed times are near the median; times in the future are ignored. */
function nearEachOther(notices: readonly WaitingNotice[], now: Date): Claim[] {
  const claims = notices
    .flatMap(({ endToEndId, claimedAt }) =>
      claimedAt !== undefined && claimedAt.getTime() <= now.getTime() + nearMs
        ? [{ endToEndId, claimedAt }]
        : [],
    )
    .sort((one, other) => one.claimedAt.getTime() - other.claimedAt.getTime());
  const middle = claims[claims.length >> 1]?.claimedAt.getTime() ?? 0;
  return claims.filter(({ claimedAt }) => Math.abs(claimedAt.getTime() - middle) <= nearMs);
}

/** Reads the list into `found` until all wanted Pix were seen. Milliseconds, both ends inclusive. */
async function readWindow(
  { psp }: ConfirmDeps,
  wanted: ReadonlySet<string>,
  from: number,
  to: number,
  found: Map<string, BankReceivedPix>,
): Promise<void> {
  let pages = 0;
  for await (const page of psp.listReceivedPix(new Date(from), new Date(to))) {
    for (const pix of page) if (wanted.has(pix.endToEndId)) found.set(pix.endToEndId, pix);
    pages += 1;
    if (found.size === wanted.size || pages === mostPages) return;
  }
}

async function askFor({ psp, log }: ConfirmDeps, endToEndId: string): Promise<Confirmation> {
  try {
    const pix = await psp.findReceivedPix(endToEndId);
    if (pix === undefined) return { is: 'denied' };
    if (pix.endToEndId !== endToEndId) throw new PspUnknown('the bank answered with another Pix');
    return { is: 'confirmed', pix };
  } catch (error) {
    log.warn({ err: error, endToEndId }, 'the bank did not confirm a notice');
    // A definite refusal of the query (an id that no bank could have issued) is a denial.
    return { is: error instanceof PspRefused ? 'denied' : 'unknown' };
  }
}
