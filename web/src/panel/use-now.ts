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
