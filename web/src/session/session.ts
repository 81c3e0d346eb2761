import { type StoredUser, storedUser, type UserModel } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { LAST_VISIT, readStored, writeStored } from './storage.ts';

/**
 * The user's session. The status is `authenticated` when there are a token and a user, `loading` while there is a token
 * whose user is not known yet, and `unauthenticated` otherwise. The browser stores the token and the user under the plain keys `token`
 * and `user`. Only those fields of the user are stored that the header and the menu need before the profile has loaded.
 */
export type SessionState = {
  status: 'loading' | 'authenticated' | 'unauthenticated';
  token: string | null;
  user: StoredUser | null;
  /** How the last session in this tab ended. */
  endedBy: SessionEnd | null;
  /** The name of the account for which that session acted, if it was somebody else's. */
  endedIn?: string | undefined;
};
/**
 * How a session ended: `sign-out` by the user, `refusal` by a response 401, `elsewhere` by a sign-out in another tab,
 * `frozen` because the account was frozen, `not-loaded` because the profile could not be loaded at start, and
 * `not-entered` because a sign-in failed.
 */
export type SessionEnd = 'sign-out' | 'refusal' | 'elsewhere' | 'frozen' | 'not-loaded' | 'not-entered';

const signedOut: SessionState = {
  status: 'unauthenticated',
  token: null,
  user: null,
  endedBy: null,
  endedIn: undefined,
};

/**
 * The state in which the application starts. With a stored token and user it is that in which the last visit ended: the
 * screen is drawn while the token is checked again.
 */
function restoredSession(): SessionState {
  const token = readStored('token');
  if (token === null) return signedOut;
  const user = storedUserFrom(readStored('user'));
  return { ...signedOut, status: user === null ? 'loading' : 'authenticated', token, user };
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

/** Stores a token. The status becomes `loading` until the profile of the token's user is stored as well. */
export function storeToken(token: string): void {
  writeStored('token', token);
  session.setState({ ...signedOut, status: 'loading', token });
}

/** Stores the few needed fields of the user beside the token. From here on the user is signed in. */
export function storeUser(profile: UserModel, account?: StoredUser['account'], withoutAccount = false): void {
  const { id, name, username, role, approved, docType, avatar } = profile;
  // The account comes first, where first-paint.ts finds its id.
  const user: StoredUser = { account, id, name, username, role, approved, docType, avatar };
  if (withoutAccount) user.withoutAccount = true;
  writeStored('user', JSON.stringify(user));
  session.setState(({ token }) =>
    token === null ? signedOut : { ...signedOut, status: 'authenticated', token, user },
  );
}

/** Deletes the token, the user and what was kept of the visit, also from the browser's storage. */
export function endSession(endedBy: SessionEnd): void {
  writeStored(LAST_VISIT, null);
  writeStored('token', null);
  writeStored('user', null);
  session.setState(({ user }) => ({ ...signedOut, endedBy, endedIn: nameOfOtherAccount(user) }));
}

function nameOfOtherAccount(user: StoredUser | null): string | undefined {
  return user?.account?.own === false ? user.account.name : undefined;
}

/**
 * Follows the other tabs: a session that ends there ends here, and a new token there reloads this page.
 * `onAccountSwitched` is called when the session acts for another account there.
 */
export function followOtherTabs(onAccountSwitched: () => void): void {
  const follow = () => {
    const token = readStored('token');
    const { user, token: shownToken } = session.getState();
    if (token !== shownToken) {
      if (token === null)
        session.setState({ ...signedOut, endedBy: 'elsewhere', endedIn: nameOfOtherAccount(user) });
      else location.reload();
      return;
    }
    const stored = storedUserFrom(readStored('user'));
    if (user !== null && stored !== null && (stored.account ?? stored).id !== (user.account ?? user).id)
      onAccountSwitched();
  };
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'token' || key === 'user') follow();
  });
  // A page that the browser kept as it was, and shows again when one goes back to it.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow();
  });
}
