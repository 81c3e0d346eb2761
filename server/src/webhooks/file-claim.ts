import type { Tx } from '../db/transaction.ts';
import type { ClaimLimits, WaitingDelivery } from './delivery-store.ts';
import { fileLanes, fileTurns, type LaneFiling, laneKey } from './lane-store.ts';
import type { SharedLane } from './share-places.ts';

/** The lanes a claim checked and the deliveries it took. */
export type MadeClaim = {
  readonly lanes: readonly SharedLane[];
  /** Of each lane that was read, in due order. */
  readonly waiting: readonly WaitingDelivery[];
  readonly chosen: readonly WaitingDelivery[];
  readonly leasedUntil: Date;
};

type Filing = { readonly lane: SharedLane; readonly next: LaneFiling['next'] };

/**
 * Schedules the next check of the lanes found by a claim; writes only changes. Returns whether another claim could take
 * something at once.
 */
export async function fileClaim(tx: Tx, claim: MadeClaim, limits: ClaimLimits): Promise<boolean> {
  const filings = filingsOf(claim, tx.now);
  const changed = filings.filter(isChange);
  if (changed.length > 0)
    await fileLanes(
      tx,
      changed.map(({ lane: { merchantId, endpoint }, next }) => ({ merchantId, endpoint, next })),
    );
  const due = claim.lanes.filter(({ dueAt }) => dueAt !== null && dueAt <= tx.now);
  const free = freePlaces(claim, limits);
  const merchants = new Map(
    [...due, ...changed.map(({ lane }) => lane)].map(({ merchant }) => [merchant.merchantId, merchant]),
  );
  if (merchants.size > 0)
    await fileTurns(
      tx,
      [...merchants.values()].map(({ merchantId, ends }) => ({
        merchantId,
        until: (free.get(merchantId) ?? 0) > 0 ? null : (ends ?? claim.leasedUntil),
      })),
    );
  const dueOf = Map.groupBy(due, ({ merchantId }) => merchantId);
  return (
    due.length >= limits.deliveries ||
    filings.some(
      ({ lane: { merchantId }, next }) =>
        (free.get(merchantId) ?? 0) > 0 &&
        ((next !== null && next.dueAt <= tx.now) ||
          (dueOf.get(merchantId)?.length ?? 0) >= limits.perMerchant),
    )
  );
}

function filingsOf({ lanes, waiting, chosen, leasedUntil }: MadeClaim, now: Date): Filing[] {
  const taken = new Set(chosen);
  const left = new Map<string, Date>();
  const sent = new Map<string, number>();
  for (const delivery of waiting) {
    const key = laneKey(delivery);
    if (taken.has(delivery)) sent.set(key, (sent.get(key) ?? 0) + 1);
    else if (!left.has(key)) left.set(key, delivery.dueAt);
  }
  return lanes.map((lane) => {
    const key = laneKey(lane);
    if (lane.places === 0) return { lane, next: nextUnseen(lane, now) };
    const first = left.get(key);
    if (first === undefined) return { lane, next: null };
    const isFull = sent.get(key) === lane.places;
    return { lane, next: { dueAt: first <= now && isFull ? leasedUntil : first, since: first } };
  });
}

/** For a lane that was not read: it is paused, or had no free slot. */
function nextUnseen({ dueAt, since, restsUntil }: SharedLane, now: Date): Filing['next'] {
  if (restsUntil === undefined) return { dueAt: dueAt !== null && dueAt <= now ? dueAt : now, since };
  const stays = dueAt !== null && dueAt > now && dueAt <= restsUntil;
  return { dueAt: stays ? dueAt : restsUntil, since };
}

function isChange({ lane: { dueAt, keptSince }, next }: Filing): boolean {
  if (next === null) return dueAt !== null;
  return dueAt?.getTime() !== next.dueAt.getTime() || keptSince?.getTime() !== next.since.getTime();
}

/** Slots each merchant has left after the claim. */
function freePlaces({ lanes, chosen }: MadeClaim, limits: ClaimLimits): Map<number, number> {
  const free = new Map(lanes.map(({ merchant }) => [merchant.merchantId, merchant.free]));
  for (const own of Map.groupBy(chosen, laneKey).values())
    for (const { merchantId } of own.slice(0, limits.perEndpoint))
      free.set(merchantId, (free.get(merchantId) ?? 0) - 1);
  return free;
}
