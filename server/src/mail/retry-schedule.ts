const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// How long after each failed attempt the next one comes: ten attempts over a day.
const delays = [
  20 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  3 * hour,
  8 * hour,
  12 * hour,
];

/** When a mail that failed so many times is tried again; undefined: never more. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : new Date(now.getTime() + delay);
}
