import type { BodyOf, changePassword as endpoint } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import {
  accountHashQueue,
  changeUser,
  confirmPassword,
  hashPassword,
  normalizeName,
  refuseFormerHolder,
  refuseWeakPassword,
  replacePassword,
  requireFactor,
  searchText,
} from '../identity/index.ts';
import { type NewMail, writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { findAccountById, isSessionAlive, lockAccount } from './store.ts';

/**
 * Changes the name of the caller's account, which payers see, and returns the normalized name. Refused with
 * NOT_HOLDER, PASSWORD_WRONG, RATE_LIMITED or OVERLOADED.
 */
export async function changeName(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  request: { readonly name: string; readonly password: string },
): Promise<string> {
  const { userId } = caller;
  await confirmPassword(deps, caller, request.password);
  const name = normalizeName(request.name);
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) throw new Refusal('UNAUTHENTICATED');
    await refuseFormerHolder(tx.db, userId);
    if (account.name === name) return;
    await changeUser(tx, userId, { name, search_text: searchText({ ...account, name }) });
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'user updated',
      subject_id: userId,
      reason: null,
      before: { name: account.name },
      after: { name },
    });
    await writeMessages(tx, [{ merchantId: userId, message: { type: 'account' } }]);
  });
  return name;
}

type ChangeDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Changes the password of the caller's account, ends its other sessions and cancels its mailed links. `stepUp` is the
 * token that proves a recent second factor. Refused with PASSWORD_WRONG, PASSWORD_COMMON, STEP_UP_REQUIRED,
 * RATE_LIMITED or OVERLOADED.
 */
export async function changePassword(
  deps: ChangeDeps,
  caller: Caller,
  { current_password, new_password }: BodyOf<typeof endpoint>,
  stepUp: string | undefined,
): Promise<void> {
  const { userId, sessionHash } = caller;
  const owner = await findAccountById(deps.db, userId);
  if (owner === undefined || sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  await confirmPassword(deps, caller, current_password);
  await requireFactor(deps, caller, stepUp);
  if (new_password === current_password)
    throw new Refusal('PASSWORD_COMMON', { message: 'A senha nova é igual à atual. Escolha outra.' });
  refuseWeakPassword(new_password, owner);
  const passwordHash = await hashPassword(new_password, accountHashQueue(userId));
  await inTransaction(deps, async (tx) => {
    await lockAccount(tx, userId);
    // If the password was reset by a mailed link meanwhile, this session has ended, and the reset takes precedence.
    if (!(await isSessionAlive(tx, sessionHash))) throw new Refusal('UNAUTHENTICATED');
    await replacePassword(tx, userId, { passwordHash, keptSessionHash: sessionHash });
    const body = 'A senha da sua conta foi alterada, e as outras sessões foram encerradas.';
    await notifyAccountChange(tx, { userId, kind: 'password', title: 'Senha alterada', body });
  });
}

type ChangeNotification = Pick<NewMail, 'userId' | 'kind'> & {
  /** Used as mail subject and notification title. */
  readonly title: string;
  readonly body: string;
  /** The address that was replaced, to which the mail goes. */
  readonly formerEmail?: string;
};

/** Notifies an account's owner of a change by mail and in the dashboard, and makes open screens reload the account. */
export async function notifyAccountChange(
  tx: Tx,
  { userId, kind, title, body, formerEmail }: ChangeNotification,
): Promise<void> {
  const mail = { userId, subject: title, paragraphs: [body] };
  await writeMail(
    tx,
    formerEmail === undefined ? { ...mail, kind } : { ...mail, kind: 'former-email', to: formerEmail },
  );
  const data = { type: `account.${kind}` };
  const notifications = await saveNotifications(tx, [{ merchantId: userId, title, body, data }]);
  await writeMessages(tx, [...notifications, { merchantId: userId, message: { type: 'account' } }]);
}
