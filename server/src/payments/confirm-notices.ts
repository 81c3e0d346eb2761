import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../batcher.ts';
import {
  type AtBank,
  type BankReceivedPix,
  type LeasedNotice,
  PspRefused,
  PspUnknown,
} from '../psp/index.ts';

/**
 * The result of asking the bank about a notice (the bank's callback that a Pix was paid). `denied`: the bank does not
 * know the Pix, or not yet. `unknown`: the bank gave no usable response.
 */
export type Confirmation =
  | { readonly is: 'confirmed'; readonly pix: BankReceivedPix }
  | { readonly is: 'denied' | 'unknown' };

type ConfirmDeps = Pick<AtBank, 'psp' | 'clock' | 'log'>;

const maxConcurrentLookUps = 16;
/** Fewer notices than this are looked up one by one, because a list does not pay off. */
const minNoticesForList = 4;
/** While fewer single look-ups than this are in flight, a batch too small for a list goes straight to them. */
const fewLookUps = 4;
const maxNoticesPerList = 1000;
const maxConcurrentLists = 1;
const pauseBetweenListsMs = 25;
/** A list is read up to this page. A Pix that the list has not shown by then is looked up alone. */
const maxListPages = 3;
/** A list is also read for at most this long. */
const listTimeoutMs = 2000;
/** If a list fails or takes too long, and shows none of the wanted Pix, no further list is requested for this long. */
const listBackOffMs = 60_000;
/**
 * A notice whose claimed time is further than this from the median is looked up alone: a list that includes such a time
 * would be too long.
 */
const maxFromMedianMs = 5 * 60_000;

/**
 * Returns a function that confirms a notice with the bank. A single notice is looked up immediately (`GET
 * /pix/{endToEndId}`; the endToEndId is the nationwide id of a Pix). Many notices are confirmed by one list (`GET
 * /pix?inicio&fim`) over their claimed payment times; a Pix missing from the list is looked up alone. If lists are slow
 * or refused, only single look-ups are used for a minute. Each call asks `bankNow` for the bank's present connection.
 */
export function createNoticeConfirmer(bankNow: () => ConfirmDeps) {
  let lookUpsInFlight = 0;
  let listsPausedUntilMs = 0;

  const lookUps = createBatcher<LeasedNotice, Confirmation>({
    maxBatchSize: 1,
    maxConcurrentRuns: maxConcurrentLookUps,
    work: async (notices) => Promise.all(notices.map(({ endToEndId }) => lookUpPix(bankNow(), endToEndId))),
  });

  const lists = createBatcher<LeasedNotice, BankReceivedPix | undefined>({
    maxBatchSize: maxNoticesPerList,
    maxConcurrentRuns: maxConcurrentLists,
    pauseMs: pauseBetweenListsMs,
    // A notice whose Pix no list showed gets undefined, and is then looked up alone.
    work: async (notices) => {
      const isQuiet = notices.length < minNoticesForList && lookUpsInFlight < fewLookUps;
      const isListSkipped = isQuiet || performance.now() < listsPausedUntilMs;
      const foundPix = isListSkipped ? new Map() : await listPixOf(notices);
      return notices.map(({ endToEndId }) => foundPix.get(endToEndId));
    },
  });

  /** Reads one list from the bank, and returns by endToEndId those Pix of these notices that the list shows. */
  async function listPixOf(notices: readonly LeasedNotice[]): Promise<ReadonlyMap<string, BankReceivedPix>> {
    const deps = bankNow();
    const foundPix = new Map<string, BankReceivedPix>();
    const claims = claimsNearMedian(notices, deps.clock.now());
    if (claims.length < minNoticesForList) return foundPix;
    const endToEndIds = new Set(claims.map(({ endToEndId }) => endToEndId));
    const times = claims.map(({ claimedAt }) => claimedAt.getTime());
    // Resolves to undefined, or to the error if the list fails.
    const reading = collectListedPix(
      deps,
      endToEndIds,
      Math.min(...times),
      Math.max(...times),
      foundPix,
    ).catch((error: unknown) => error);
    const failure = await Promise.race([reading, pause(listTimeoutMs, 'the list took too long')]);
    // A list that showed at least one Pix is worth using again, even if it was too slow.
    if (failure !== undefined && foundPix.size === 0) {
      listsPausedUntilMs = performance.now() + listBackOffMs;
      deps.log.warn({ err: failure }, 'the list of received Pix could not be read from the bank');
    }
    return foundPix;
  }

  return async (notice: LeasedNotice): Promise<Confirmation> => {
    const pix = await lists.add(notice);
    if (pix !== undefined) return { is: 'confirmed', pix };
    lookUpsInFlight += 1;
    return lookUps.add(notice).finally(() => {
      lookUpsInFlight -= 1;
    });
  };
}

/** The Pix of a notice, and the time at which it was paid according to the notice. */
type Claim = { readonly endToEndId: string; readonly claimedAt: Date };

/** Returns the claims whose times are near the median of all. Ignores claims without a time or with a future time. */
function claimsNearMedian(notices: readonly LeasedNotice[], now: Date): Claim[] {
  const claims = notices
    .flatMap(({ endToEndId, claimedAt }) =>
      // The bank's clock may be ahead of ours, so up to five minutes do not count as the future.
      claimedAt !== undefined && claimedAt.getTime() <= now.getTime() + maxFromMedianMs
        ? [{ endToEndId, claimedAt }]
        : [],
    )
    .sort((a, b) => a.claimedAt.getTime() - b.claimedAt.getTime());
  const medianMs = claims[Math.floor(claims.length / 2)]?.claimedAt.getTime() ?? 0;
  return claims.filter(({ claimedAt }) => Math.abs(claimedAt.getTime() - medianMs) <= maxFromMedianMs);
}

/**
 * Reads the bank's list between two times, both inclusive, and adds the Pix with these endToEndIds to `foundPix`, until
 * all of them are found. The caller passes the map, so that it keeps the Pix found before a failure.
 */
async function collectListedPix(
  { psp }: ConfirmDeps,
  endToEndIds: ReadonlySet<string>,
  fromMs: number,
  toMs: number,
  foundPix: Map<string, BankReceivedPix>,
): Promise<void> {
  let pages = 0;
  for await (const page of psp.listReceivedPix(new Date(fromMs), new Date(toMs))) {
    for (const pix of page) if (endToEndIds.has(pix.endToEndId)) foundPix.set(pix.endToEndId, pix);
    pages += 1;
    if (foundPix.size === endToEndIds.size || pages === maxListPages) return;
  }
}

async function lookUpPix({ psp, log }: ConfirmDeps, endToEndId: string): Promise<Confirmation> {
  try {
    const pix = await psp.findReceivedPix(endToEndId);
    if (pix === undefined) return { is: 'denied' };
    if (pix.endToEndId !== endToEndId) throw new PspUnknown('the bank answered with another Pix');
    return { is: 'confirmed', pix };
  } catch (error) {
    log.warn({ err: error, endToEndId }, 'the bank did not confirm a notice');
    // The bank refuses to look up an id that no bank could have issued, so a refusal is a denial.
    return { is: error instanceof PspRefused ? 'denied' : 'unknown' };
  }
}
