import type { Psp } from '../psp/index.ts';

/** How long a bank that did not answer is asked last, so that not each new charge waits for it. */
const memoryMs = 20_000;

/** In this process only: another one finds out by itself. New credentials make a new `Psp`, which is asked at once. */
const silentSince = new WeakMap<Psp, Date>();

export function rememberSilence(psp: Psp, now: Date): void {
  silentSince.set(psp, now);
}

export function wasSilentLately(psp: Psp, now: Date): boolean {
  const since = silentSince.get(psp);
  return since !== undefined && Math.abs(now.getTime() - since.getTime()) < memoryMs;
}
