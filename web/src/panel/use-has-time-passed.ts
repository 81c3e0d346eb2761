import { useEffect, useState } from 'react';

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
