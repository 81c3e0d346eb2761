import { Refusal } from '../refusal.ts';

/**
 * Places for what is written while it is read: `limit` for all, and one for each merchant, so that none keeps the others
 * waiting. Taking one answers how it is given back; refused with OVERLOADED while there is none.
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
