/** The gateway's time, extrapolated from its last report: the payer's own clock is not used. */
export type ServerClock = { nowMs(): number; told(now: string): void };

export function serverClock(now: string): ServerClock {
  let ahead = 0;
  const told = (moment: string) => {
    const ms = Date.parse(moment);
    if (!Number.isNaN(ms)) ahead = ms - Date.now();
  };
  told(now);
  return { nowMs: () => Date.now() + ahead, told };
}
