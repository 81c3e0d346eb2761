import type { Deps } from '../deps.ts';
import type { ClientInfo } from './open-session.ts';
import { hashToken } from './session.ts';
import { isKnownDevice } from './store.ts';
import { type AttemptLimit, opaqueKey } from './throttle.ts';

const quarterHour = 900;
const day = 86_400;

/*
 * Of a million codes three hold at any moment. Whoever knows the password and nothing else has 20 guesses a day, so a year
 * of guessing finds a code once in fifty times; a browser that signed in to the account before keeps guesses of its own.
 */

/** Guesses at a code of an account, over all challenges. */
export async function signInGuesses(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  { device }: Pick<ClientInfo, 'device'>,
): Promise<AttemptLimit[]> {
  const isKnown = device !== undefined && (await isKnownDevice(db, userId, hashToken(device)));
  const key = `factor ${userId}${isKnown ? ` device ${opaqueKey(device)}` : ''}`;
  return bothWindows(key, { quarter: 5, day: 20 });
}

/** Guesses in a session: one who stole it does not use up its owner's. */
export function sessionGuesses(sessionHash: Buffer): AttemptLimit[] {
  return bothWindows(`factor session ${opaqueKey(sessionHash)}`, { quarter: 5, day: 20 });
}

function bothWindows(key: string, limit: { readonly quarter: number; readonly day: number }): AttemptLimit[] {
  return [
    { key, limit: limit.quarter, windowSeconds: quarterHour },
    { key: `${key} day`, limit: limit.day, windowSeconds: day },
  ];
}
