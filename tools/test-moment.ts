import { existsSync } from 'node:fs';

/** How far the clock of tests is ahead of the machine's, for what reads its time in a browser. */
export const CLOCK_OFFSET = 'CLOCK_OFFSET_MS';

const LIBRARY_FOLDERS = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/faketime`);

/**
 * The next time that it is a month, day and time of day in Brasília, such as `12-31T23:59`.
 * @throws when the text is none
 */
export function momentOf(text: string, now: Date): Date {
  if (!/^\d\d-\d\dT\d\d:\d\d$/.test(text)) throw new Error(`${text} is no moment such as 12-31T23:59.`);
  const inYear = (year: number) => new Date(`${year}-${text}:00-03:00`);
  const [moment] = [0, 1].map((more) => inYear(now.getUTCFullYear() + more)).filter((one) => one > now);
  if (moment === undefined) throw new Error(`${text} is no day of the calendar.`);
  return moment;
}

/**
 * What starts a program, and all that it starts, at another moment: libfaketime moves the clock of the calendar, and leaves
 * alone the one that counts from the machine's start, and the times of files.
 * @throws when the machine has no libfaketime
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

/** What the environment of a program says of a moved clock, for a child of it. */
export function clockOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT', CLOCK_OFFSET];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** How far the clock of this process is ahead of the machine's, in milliseconds. */
export const clockOffset = (): number => Number(process.env[CLOCK_OFFSET] ?? 0);
