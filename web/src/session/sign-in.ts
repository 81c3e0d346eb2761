import {
  login,
  logout,
  parseUser,
  profile,
  type Registration,
  register,
  type UserModel,
} from '@jangada/contract';
import { BadAnswer } from '../api/api-error.ts';
import { send } from '../api/client.ts';
import { endSession, holdToken, holdUser, session } from './session.ts';

let profileRequest: AbortController | null = null;

/** Loads the account of the held token and keeps its reduced user. A newer request cancels an older one. */
export async function loadProfile(): Promise<UserModel> {
  profileRequest?.abort();
  const request = new AbortController();
  profileRequest = request;
  const answer = await send(profile, { signal: request.signal });
  const user = parseUser(fieldOf(answer, 'user'));
  holdUser(user);
  return user;
}

/** At start: tries the stored token; any failure ends the session. Answers null when nobody is signed in. */
export async function startSession(): Promise<UserModel | null> {
  if (session.getState().token === null) return null;
  try {
    return await loadProfile();
  } catch {
    endSession();
    return null;
  }
}

/** Signs in and loads the profile; any failure clears the session. */
export async function signIn(credentials: { username: string; password: string }): Promise<UserModel> {
  try {
    const token = fieldOf(await send(login, { body: credentials }), 'token');
    if (typeof token !== 'string' || token === '') {
      throw new BadAnswer('Login response did not contain a token.');
    }
    holdToken(token);
    return await loadProfile();
  } catch (error) {
    endSession();
    throw error;
  }
}

/** Opens an account and signs in to it. */
export async function signUp(registration: Registration): Promise<UserModel> {
  const answer = await send(register, { body: registration });
  const token = fieldOf(answer, 'token');
  const user = fieldOf(answer, 'user');
  if (typeof token !== 'string' || token === '' || user == null) {
    throw new BadAnswer('Falha ao processar o registro. Dados ausentes.');
  }
  const account = parseUser(user);
  holdToken(token);
  holdUser(account);
  return account;
}

/** Forgets the session here at once, and asks the server to end it. */
export function signOut(): void {
  profileRequest?.abort();
  if (session.getState().token !== null) {
    // The server may be out of reach or not know the call: signed out here all the same.
    send(logout, { keepalive: true }).catch(() => {});
  }
  endSession();
}

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null
    ? new Map(Object.entries(answer)).get(name)
    : undefined;
}
