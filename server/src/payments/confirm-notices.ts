import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../batcher.ts';
import type { Deps } from '../deps.ts';
import { type BankReceivedPix, PspRefused, PspUnknown, type WaitingNotice } from '../psp/index.ts';

/** What the bank says of a notice. Denied: it does not know the Pix, now. Unknown: it did not say. */
export type Confirmation =
  | { readonly is: 'confirmed'; readonly pix: BankReceivedPix }
  | { readonly is: 'denied' | 'unknown' };

type ConfirmDeps = Pick<Deps, 'psp' | 'clock' | 'log'>;

const questionsAtOnce = 16;
/** With fewer than these under way, the next few are asked for one by one: nothing is quicker for them. */
const idleQuestions = 4;
const fewNotices = 4;
const noticesTogether = 1000;
const listsAtOnce = 1;
const restMs = 25;
/** A list that does not show all of them by then shows the rest to nobody: they are asked for one by one. */
const mostPages = 3;
const listPatienceMs = 2000;
const listRestMs = 60_000;
/** A notice that claims a time so far from that of most others is asked for by itself: the list would be too long. */
const nearMs = 5 * 60_000;

/**
 * Asks the bank for the Pix of notices. A lone notice is one question, asked at once (`GET /pix/{endToEndId}`). Many
 * together are one list (`GET /pix?inicio&fim`) over the time in which they claim to have been paid, and only what
 * stands in the bank's own list counts; what does not stand there is asked for by itself. A bank that is slow with
 * lists, or refuses them, is asked for single Pix only, for a minute.
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
    // A list that showed something is no reason to do without lists.
    if (trouble !== undefined && found.size === 0) {
      noListsBefore = performance.now() + listRestMs;
      deps.log.warn({ err: trouble }, 'the bank did not list what it received');
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

/** Those whose claims lie near the one in the middle; what lies in the future is none. */
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

/** Reads the list until it has shown all that are wanted, into `found`. Milliseconds, both ends included. */
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
    // A certain no to the question itself (an id that no bank could have made) is a denial.
    return { is: error instanceof PspRefused ? 'denied' : 'unknown' };
  }
}
