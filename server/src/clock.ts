/** Business time. Business rules read it from the clock passed to them, never from the machine or the database. */
export type Clock = { now(): Date };

export const machineClock: Clock = { now: () => new Date() };

/** A clock with an adjustable offset from the machine's: moved by tests, or synchronised with the sandbox bank. */
export function createAdjustableClock(): Clock & {
  shift(milliseconds: number): void;
  /** Sets the offset so that the clock shows `now`. */
  follow(now: Date): void;
} {
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

/** The moment that is this many milliseconds after `now`. */
export function addMs(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
