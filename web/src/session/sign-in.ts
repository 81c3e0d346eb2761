import {
  type ActingAccount,
  actingAccount,
  centsFromResponse,
  login,
  logout,
  parseUser,
  profile,
  type Registration,
  register,
  type UserModel,
} from '@jangada/contract';
import { ApiError, InvalidResponseError, isCancelled, sessionEndOf } from '../api/api-error.ts';
import { pictureAddress } from '../api/base-address.ts';
import { callRaw } from '../api/client.ts';
import { startCallsAfterSignIn } from '../api/started-calls.ts';
import { accountIdOf } from './account.ts';
import { openAccountAnew, reasonOfSwitch } from './account-change.ts';
import { endSession, session, storeToken, storeUser } from './session.ts';

let profileRequest: AbortController | null = null;
let lastProfile: UserModel | undefined;
/** The token with which the profile was last loaded, which shows that the gateway accepts it. */
let acceptedToken: string | null = null;

/** The most recently loaded account, so that the first screen after the sign-in need not fetch the account again. */
export function loadedProfile(): UserModel | undefined {
  return lastProfile;
}

/**
 * Loads the account of the stored token, and stores the user, who is then signed in. A newer request cancels an older
 * one.
 */
export async function loadProfile(): Promise<UserModel> {
  profileRequest?.abort();
  const request = new AbortController();
  profileRequest = request;
  const response = await callRaw(profile, { signal: request.signal });
  const sentAccount = fieldOf(response, 'account');
  const account = actingAccount.safeParse(sentAccount).data;
  const user = accountFrom(fieldOf(response, 'user') ?? response);
  lastProfile = account === undefined ? user : withAccount(user, account);
  const waiting = fieldOf(fieldOf(response, 'approvals'), 'waiting');
  if (typeof waiting === 'number') lastProfile.approvalsWaiting = waiting;
  acceptedToken = session.getState().token;
  const shown = session.getState();
  const shownAccountId = accountIdOf(shown);
  storeUser(lastProfile, account, sentAccount === null);
  if (shownAccountId !== undefined && shownAccountId !== accountIdOf(session.getState()))
    openAccountAnew(reasonOfSwitch(shown));
  return lastProfile;
}

/** The person with the money and the API of the account for which they act. */
function withAccount(user: UserModel, account: ActingAccount): UserModel {
  const centsOf = (amount: number | null | undefined) =>
    (amount == null ? null : centsFromResponse(amount)) ?? null;
  return {
    ...user,
    balanceCents: centsOf(account.balance) ?? 0,
    atOperatorCents: centsOf(account.at_operator),
    atOwnBankCents: centsOf(account.at_own_bank),
    apiActive: account.apiActive,
    apiKey: account.own ? user.apiKey : '',
  };
}

/**
 * Checks the stored token when the application starts, unless the user has just signed in; any failure ends the session.
 * `load` loads the profile.
 */
export async function startSession(load: () => Promise<unknown> = loadProfile): Promise<void> {
  const { token } = session.getState();
  if (token === null || token === acceptedToken) return;
  try {
    await load();
  } catch (error) {
    if (isCancelled(error) || session.getState().token !== token) return;
    const sessionEnd = error instanceof ApiError ? sessionEndOf(error) : undefined;
    endSession(sessionEnd ?? 'not-loaded');
  }
}

/** Signs in and loads the profile. Any failure ends the session. */
export async function signIn(credentials: { username: string; password: string }): Promise<UserModel> {
  return await signInWith(() => callRaw(login, { body: credentials }));
}

/** Signs in with the token in the response to `requestToken`, and loads the profile. Any failure ends the session. */
export async function signInWith(requestToken: () => Promise<unknown>): Promise<UserModel> {
  try {
    const token = fieldOf(await requestToken(), 'token');
    if (typeof token !== 'string' || token === '') {
      throw new InvalidResponseError('Login response did not contain a token.');
    }
    storeToken(token);
    startCallsAfterSignIn(token);
    return await loadProfile();
  } catch (error) {
    endSession('not-entered');
    throw error;
  }
}

/** Opens an account and signs the user in to it. */
export async function signUp(registration: Registration): Promise<UserModel> {
  const response = await callRaw(register, { body: registration });
  const token = fieldOf(response, 'token');
  const user = fieldOf(response, 'user');
  if (typeof token !== 'string' || token === '' || user == null) {
    throw new InvalidResponseError('Falha ao processar o registro. Dados ausentes.');
  }
  lastProfile = accountFrom(user);
  storeToken(token);
  acceptedToken = token;
  storeUser(lastProfile);
  return lastProfile;
}

/** Ends the session in this browser at once, and asks the server to end it too. */
export function signOut(): void {
  profileRequest?.abort();
  if (session.getState().token !== null) {
    // The server may be unreachable, or not offer the call. The user is signed out in this browser anyway.
    callRaw(logout, { keepalive: true }).catch(() => {});
  }
  endSession('sign-out');
}

/** Parses an account, and completes the URL of its picture. */
function accountFrom(data: unknown): UserModel {
  const user = parseUser(data);
  return { ...user, avatar: pictureAddress(user.avatar) };
}

function fieldOf(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null ? new Map(Object.entries(data)).get(name) : undefined;
}
