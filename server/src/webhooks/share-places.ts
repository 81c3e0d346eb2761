import type { ClaimLimits, WaitingDelivery } from './delivery-store.ts';
import { type Lane, type LaneLoad, laneKey } from './lane-store.ts';

/** A lane found by a claim, with the slots assigned to it. */
export type SharedLane = Lane & {
  /** The earliest time something may be due in it. */
  readonly since: Date;
  /** How many deliveries it may send now; 0: it is not read. */
  readonly places: number;
  /** It can send again by then at the latest: its receiver is paused, or all its slots are taken. */
  readonly restsUntil: Date | undefined;
  /** The slots of the lane's merchant. */
  readonly merchant: MerchantPlaces;
};

export type MerchantPlaces = {
  readonly merchantId: number;
  readonly free: number;
  readonly ends: Date | undefined;
};

/**
 * Assigns slots to each lane: none while its receiver is paused, and one at a time after a timeout until it responds.
 * Reads no more lanes than could send one delivery each, the first of each merchant before the second of any. The more
 * lanes have slots ahead, the fewer each gets: rows that a claim cannot take would be read in vain, again in every
 * claim.
 */
export function sharePlaces(
  lanes: readonly Lane[],
  loads: readonly LaneLoad[],
  limits: ClaimLimits,
  now: Date,
): SharedLane[] {
  const loadOf = new Map(loads.map((load) => [laneKey(load), load]));
  const byMerchant = Map.groupBy(lanes, ({ merchantId }) => merchantId);
  const merchantLoads = Map.groupBy(loads, ({ merchantId }) => merchantId);
  const turns = [...byMerchant].flatMap(([merchantId, own]) => {
    const merchant = merchantPlaces(merchantId, merchantLoads.get(merchantId) ?? [], limits);
    let turn = 0;
    return own.map((lane) => {
      const load = loadOf.get(laneKey(lane));
      const rest = restOf(lane, load, limits, now);
      if (rest.restsUntil !== undefined) return { lane, merchant, ...rest, turn: Number.POSITIVE_INFINITY };
      turn += 1;
      return { lane, merchant, ...rest, turn: turn <= merchant.free ? turn : Number.POSITIVE_INFINITY };
    });
  });
  const ahead = turns.filter(({ turn, free }) => Number.isFinite(turn) && free > limits.perEndpoint).length;
  const share = limits.perEndpoint + Math.ceil(limits.deliveries / Math.max(1, ahead));
  return turns
    .sort((one, other) => (one.turn === other.turn ? 0 : one.turn - other.turn))
    .map(({ lane, merchant, free, restsUntil, turn }, at) => ({
      ...lane,
      since: sinceOf(lane),
      places: Number.isFinite(turn) && at < limits.deliveries ? Math.min(free, share) : 0,
      restsUntil,
      merchant,
    }));
}

function merchantPlaces(merchantId: number, loads: readonly LaneLoad[], limits: ClaimLimits): MerchantPlaces {
  const sending = loads.reduce((sum, load) => sum + Math.min(load.sending, limits.perEndpoint), 0);
  return {
    merchantId,
    free: Math.max(0, limits.perMerchant - sending),
    ends: earliest(loads.map(({ ends }) => ends)),
  };
}

function restOf(lane: Lane, load: LaneLoad | undefined, limits: ClaimLimits, now: Date) {
  const { timeouts, openUntil } = lane.breaker;
  if (openUntil !== null && openUntil > now) return { free: 0, restsUntil: openUntil };
  if (timeouts > 0)
    return load === undefined ? { free: 1, restsUntil: undefined } : { free: 0, restsUntil: load.ends };
  if (load === undefined)
    return { free: limits.perEndpoint + (limits.ahead?.(lane) ?? 0), restsUntil: undefined };
  const free = limits.perEndpoint - load.sending;
  return { free, restsUntil: free > 0 ? undefined : load.ends };
}

/** One of the two is always set, or the lane would not have been found. */
function sinceOf({ since, keptSince }: Lane): Date {
  return earliest([since, keptSince].filter((one) => one !== null)) ?? new Date(0);
}

function earliest(dates: readonly Date[]): Date | undefined {
  return dates.reduce<Date | undefined>(
    (first, one) => (first !== undefined && first <= one ? first : one),
    undefined,
  );
}

/**
 * Chooses which waiting deliveries are sent now: the first of each lane before the second of any, within each
 * merchant's slots.
 */
export function chooseDeliveries(
  waiting: readonly WaitingDelivery[],
  lanes: readonly SharedLane[],
  limits: ClaimLimits,
  now: Date,
): WaitingDelivery[] {
  const places = new Map(lanes.map((lane) => [laneKey(lane), lane.places]));
  const free = new Map(lanes.map(({ merchant }) => [merchant.merchantId, merchant.free]));
  const due = [...Map.groupBy(waiting, laneKey)].flatMap(([key, own]) =>
    own
      .filter(({ dueAt }) => dueAt <= now)
      .slice(0, places.get(key) ?? 0)
      .map((delivery, turn) => ({ delivery, turn })),
  );
  due.sort(
    (one, other) => one.turn - other.turn || Number(one.delivery.dueAt) - Number(other.delivery.dueAt),
  );
  const chosen: WaitingDelivery[] = [];
  const sent = new Map<string, number>();
  for (const { delivery, turn } of due) {
    if (chosen.length === limits.deliveries) break;
    const key = laneKey(delivery);
    const left = free.get(delivery.merchantId) ?? 0;
    const isAhead = turn >= limits.perEndpoint;
    if ((sent.get(key) ?? 0) < turn || (left === 0 && !isAhead)) continue;
    if (!isAhead) free.set(delivery.merchantId, left - 1);
    sent.set(key, turn + 1);
    chosen.push(delivery);
  }
  return chosen;
}
