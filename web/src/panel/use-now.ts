import { useEffect, useState } from 'react';

const SECOND_MS = 1000;

/** The browser's current time in ms. While `isRunning`, it is updated every `intervalMs`, by default each second. */
export function useNow(isRunning: boolean, intervalMs = SECOND_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, intervalMs);
    return () => clearInterval(timer);
  }, [isRunning, intervalMs]);
  return now;
}

/** True once `condition` has been true for this long without a break. */
export function useHasTimePassed(ms: number, condition = true): boolean {
  const [hasPassed, setHasPassed] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setHasPassed(true), ms);
    return () => {
      clearTimeout(timer);
      setHasPassed(false);
    };
  }, [ms, condition]);
  return hasPassed;
}
