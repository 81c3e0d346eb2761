import type { Psp } from '../psp/index.ts';

/** Returns whether the bank answered the last request sent to it. */
export function bankReachability(psp: Pick<Psp, 'reachable'>): 'ok' | 'unavailable' | 'unknown' {
  const reachable = psp.reachable();
  if (reachable === undefined) return 'unknown';
  return reachable ? 'ok' : 'unavailable';
}
