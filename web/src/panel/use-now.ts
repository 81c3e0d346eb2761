import { useEffect, useState } from 'react';

const SECOND_MS = 1000;

/** The browser's current time in ms, updated while `running`. */
export function useNow(running: boolean, everyMs = SECOND_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return now;
}
