const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// Delay after each failed attempt: ten attempts over about a day.
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

/** Returns the time of the next attempt after this many failures; undefined when attempts are exhausted. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : new Date(now.getTime() + delay);
}
