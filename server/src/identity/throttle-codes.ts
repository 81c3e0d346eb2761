import type { Deps } from '../deps.ts';
import type { ClientInfo } from './open-session.ts';
import { hashToken } from './session.ts';
import { isKnownDevice } from './store.ts';
import { type AttemptLimit, opaqueKey } from './throttle.ts';

const quarterHour = 900;
const day = 86_400;

/*
 * Three of a million codes are valid at any moment. With 20 guesses a day, somebody who knows only the password has a 1
 * in 50 chance of finding a code within a year. A browser that signed in to the account before has its own guesses.
 */

/** Limits on code guesses for an account, across challenges. */
export async function signInGuesses(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  { device }: Pick<ClientInfo, 'device'>,
): Promise<AttemptLimit[]> {
  const isKnown = device !== undefined && (await isKnownDevice(db, userId, hashToken(device)));
  const key = `factor ${userId}${isKnown ? ` device ${opaqueKey(device)}` : ''}`;
  return bothWindows(key, { quarter: 5, day: 20 });
}

/** Limits on code guesses in a session, so that a session thief cannot use up the owner's. */
export function sessionGuesses(sessionHash: Buffer): AttemptLimit[] {
  return bothWindows(`factor session ${opaqueKey(sessionHash)}`, { quarter: 5, day: 20 });
}

function bothWindows(key: string, limit: { readonly quarter: number; readonly day: number }): AttemptLimit[] {
  return [
    { key, limit: limit.quarter, windowSeconds: quarterHour },
    { key: `${key} day`, limit: limit.day, windowSeconds: day },
  ];
}
