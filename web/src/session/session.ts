import { type StoredUser, storedUser, type UserModel } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from './storage.ts';

/**
 * The session. `loading` at start while a stored token is checked, then `authenticated` when both token and user are
 * present, otherwise `unauthenticated`. Stored under the two plain keys `token` and `user`; the user is reduced to the
 * fields that the header and the menu need before the profile loads.
 */
export type SessionState = {
  status: 'loading' | 'authenticated' | 'unauthenticated';
  token: string | null;
  user: StoredUser | null;
  /** How the last session in this tab ended. */
  endedBy: SessionEnd | null;
};
/**
 * `refusal` is a 401, `elsewhere` a sign-out in another tab, `not-loaded` a profile that could not be loaded at start,
 * and `not-entered` a sign-in that failed.
 */
export type SessionEnd = 'sign-out' | 'refusal' | 'elsewhere' | 'frozen' | 'not-loaded' | 'not-entered';

const signedOut: SessionState = { status: 'unauthenticated', token: null, user: null, endedBy: null };

function restoredSession(): SessionState {
  const token = readStored('token');
  if (token === null) return signedOut;
  return { ...signedOut, status: 'loading', token, user: storedUserFrom(readStored('user')) };
}

function storedUserFrom(text: string | null): StoredUser | null {
  if (text === null) return null;
  try {
    return storedUser.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const session = createStore<SessionState>(() => restoredSession());

/** Selects a part of the session state for a component. */
export function useSession<Part>(select: (state: SessionState) => Part): Part {
  return useStore(session, select);
}

/** Stores a token whose profile is still to be loaded. */
export function storeToken(token: string): void {
  writeStored('token', token);
  session.setState({ ...signedOut, status: 'loading', token });
}

/** Stores the reduced user beside the token: from here on the user is signed in. */
export function storeUser(profile: UserModel): void {
  const { id, name, username, role, approved, docType, avatar } = profile;
  const user: StoredUser = { id, name, username, role, approved, docType, avatar };
  writeStored('user', JSON.stringify(user));
  session.setState(({ token }) =>
    token === null ? signedOut : { ...signedOut, status: 'authenticated', token, user },
  );
}

/** Clears token and user. */
export function endSession(endedBy: SessionEnd): void {
  writeStored('token', null);
  writeStored('user', null);
  session.setState({ ...signedOut, endedBy });
}

/** Follows other tabs: a session that ends there ends here, and a sign-in as another user reloads this page. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== null && event.key !== 'token') return;
    const token = readStored('token');
    if (token === session.getState().token) return;
    if (token === null) session.setState({ ...signedOut, endedBy: 'elsewhere' });
    else location.reload();
  });
}
