import { Refusal } from '../refusal.ts';

/**
 * Slots for files streamed while they are read: `limit` in total and one per merchant, so that no merchant blocks the
 * others. Returns a function that takes a slot and returns its release; refused with OVERLOADED when none is free.
 */
export function createConcurrencySlots(limit: number): (merchantId: number) => () => void {
  const taken = new Set<number>();
  return (merchantId) => {
    if (taken.has(merchantId) || taken.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 10 });
    taken.add(merchantId);
    return () => void taken.delete(merchantId);
  };
}
