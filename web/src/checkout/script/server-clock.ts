/** The gateway's time, by the span since it was last told: what the payer's own clock shows does not matter. */
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
