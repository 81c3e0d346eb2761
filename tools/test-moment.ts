// `npm test -- --at MOMENT` runs the tests at another time, such as the last minute of a year.
import { existsSync } from 'node:fs';

/**
 * The environment variable with the offset of the tests' clock. Tests move the clocks of browser pages by the same
 * offset.
 */
export const CLOCK_OFFSET = 'CLOCK_OFFSET_MS';

const LIBRARY_FOLDERS = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/faketime`);

/**
 * Returns the next occurrence of a date and time in Brasília, such as `12-31T23:59`.
 * @throws if the text is invalid
 */
export function momentOf(text: string, now: Date): Date {
  if (!/^\d\d-\d\dT\d\d:\d\d$/.test(text)) throw new Error(`${text} is no moment such as 12-31T23:59.`);
  const inYear = (year: number) => new Date(`${year}-${text}:00-03:00`);
  const years = [now.getUTCFullYear(), now.getUTCFullYear() + 1];
  const moment = years.map(inYear).find((candidate) => candidate > now);
  if (moment === undefined) throw new Error(`${text} is no day of the calendar.`);
  return moment;
}

/**
 * Returns the environment variables that let a program and its children run at another time. The library libfaketime
 * moves their wall clock, but neither the monotonic clock nor file times.
 * @throws if the machine has no libfaketime
 */
export function environmentAt(moment: Date, now: Date): Record<string, string> {
  const library = LIBRARY_FOLDERS.map((folder) => `${folder}/libfaketimeMT.so.1`).find(existsSync);
  if (library === undefined)
    throw new Error('Tests at another moment need libfaketime: apt install faketime.');
  const seconds = Math.ceil((moment.getTime() - now.getTime()) / 1000);
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${seconds}s`,
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
    [CLOCK_OFFSET]: `${seconds * 1000}`,
  };
}

/** Returns the variables of an environment that move the clock, for a child process. */
export function copyClockVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT', CLOCK_OFFSET];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Returns the offset of this process's clock, in milliseconds. */
export const clockOffsetMs = (): number => Number(process.env[CLOCK_OFFSET] ?? 0);
