import type { Psp } from '../psp/index.ts';

/** Whether the bank answered when it was last asked for anything. */
export function bankReachability(psp: Pick<Psp, 'reachable'>): 'ok' | 'unavailable' | 'unknown' {
  const reachable = psp.reachable();
  if (reachable === undefined) return 'unknown';
  return reachable ? 'ok' : 'unavailable';
}
