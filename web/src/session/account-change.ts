import { type acceptInvitation, type enterAccount, type MemberRole, memberRoles } from '@jangada/contract';
import { isLookingIn } from './account.ts';
import { type SessionState, session } from './session.ts';
import { LAST_VISIT, readStored, writeStored } from './storage.ts';

/** Says, after the page was opened anew, why it shows another account. */
const STORAGE_KEY = 'account-change';
const SWITCHED =
  'A conta desta sessão foi trocada em outra aba. O que estava aberto aqui era de outra conta, e nada mais foi feito nela.';

const LOOK_ENDED = 'Você não olha mais a conta como suporte. Esta é a sua.';

let isOpening = false;

/**
 * Opens the start page anew for the account for which the session acts now. Nothing of the account before stays on the
 * screen, in memory or in the browser's storage. `reason` is shown there; null if there is nothing to say.
 */
export function openAccountAnew(reason: string | null = reasonOfSwitch(session.getState())): void {
  if (isOpening) return;
  isOpening = true;
  writeStored(LAST_VISIT, null);
  writeStored('user', null);
  writeStored(STORAGE_KEY, reason, 'tab');
  location.assign('/dashboard');
}

/** Why the session acts for another account than the one that is shown in `state`. */
export function reasonOfSwitch(state: SessionState): string {
  return isLookingIn(state) ? LOOK_ENDED : SWITCHED;
}

/** Why the page was opened anew; null if it was not, or there is nothing to say. */
export function accountChangeReason(): string | null {
  return readStored(STORAGE_KEY, 'tab');
}

/** To be called once the user has read the reason. */
export function forgetAccountChange(): void {
  writeStored(STORAGE_KEY, null, 'tab');
}

/**
 * Applies what a refusal shows about the account: that the session acts for another one, that the account was frozen, or
 * that the person's role has changed. Returns true if the page is being opened anew, so that no screen need report it.
 */
export function applyAccountRefusal(
  code: string | null,
  details: Readonly<Record<string, unknown>>,
  callName: string,
): boolean {
  if (code === 'ACCOUNT_SWITCHED') {
    openAccountAnew();
    return true;
  }
  const role = memberRoles.find((name) => name === details['role']);
  if (code === 'MEMBER_ROLE_MISSING' && role !== undefined) changeAccount({ role });
  if (code === 'ACCOUNT_FROZEN' && !callsOfOtherAccounts.includes(callName)) changeAccount({ frozen: true });
  return false;
}

/** The calls that are refused because of another account than the one shown. */
const callsOfOtherAccounts: readonly string[] = ['enterAccount', 'acceptInvitation'] satisfies (
  | (typeof enterAccount)['name']
  | (typeof acceptInvitation)['name']
)[];

/** Has no effect for whoever has only their own account. */
function changeAccount(change: { readonly role?: MemberRole; readonly frozen?: boolean }): void {
  const { user } = session.getState();
  if (user?.account === undefined) return;
  session.setState({ user: { ...user, account: { ...user.account, ...change } } });
}
