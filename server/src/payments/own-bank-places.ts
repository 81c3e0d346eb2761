import type { Deps } from '../deps.ts';
import { type Banks, HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import type { Charge } from './payment.ts';

/**
 * How many callers of this process wait at the same time for banks of merchants' own: of one merchant, and of all. A
 * bank that is slow, or made to be slow, must not keep waiting callers in all the places that API calls have
 * (`http/server.ts`).
 */
const placesOfMerchant = 32;
const placesOfAll = 96;
/** While this many wait, each merchant has only few places: two slow banks leave room for those that answer. */
const crowdedFrom = 64;
const crowdedPlacesOfMerchant = 8;

/** By the banks, and not by the process, because tests run several gateways in one process. */
const waitingByBanks = new WeakMap<Banks, Map<number, number>>();

/**
 * Does work of a caller who waits for the bank of a charge's account. Refused with OVERLOADED while too many wait for
 * banks of merchants' own; for the operator's own bank, any number may.
 */
export async function inOwnBankPlace<T>(
  { banks }: Pick<Deps, 'banks'>,
  { merchantId, connectionId }: Pick<Charge, 'merchantId' | 'connectionId'>,
  work: () => Promise<T>,
): Promise<T> {
  if (connectionId === HOUSE_CONNECTION) return work();
  const waiting = waitingByBanks.get(banks) ?? new Map<number, number>();
  waitingByBanks.set(banks, waiting);
  const ofMerchant = waiting.get(merchantId) ?? 0;
  const ofAll = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  const allowed = ofAll >= crowdedFrom ? crowdedPlacesOfMerchant : placesOfMerchant;
  if (ofMerchant >= allowed || ofAll >= placesOfAll)
    throw new Refusal('OVERLOADED', { retryAfterSeconds: 2 });
  waiting.set(merchantId, ofMerchant + 1);
  try {
    return await work();
  } finally {
    const left = (waiting.get(merchantId) ?? 1) - 1;
    if (left === 0) waiting.delete(merchantId);
    else waiting.set(merchantId, left);
  }
}
