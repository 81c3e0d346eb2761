/** Business time. Rules read it from what they are handed, never from the machine or the database. */
export type Clock = { now(): Date };

export const machineClock: Clock = { now: () => new Date() };

/** A clock that stands at a distance from the machine's: tests move it, the sandbox's bank leads it. */
export function shiftedClock(): Clock & { shift(milliseconds: number): void; follow(now: Date): void } {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    shift(milliseconds) {
      offset += milliseconds;
    },
    follow(now) {
      offset = now.getTime() - Date.now();
    },
  };
}
