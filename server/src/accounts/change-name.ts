import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, normalizeName, searchText } from '../identity/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount, updateAccount } from './store.ts';

/**
 * Changes the name of the caller's account, which payers see. Returns the normalized name. Refused as
 * `confirmPassword`.
 */
export async function changeName(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  typed: { readonly name: string; readonly password: string },
): Promise<string> {
  const { userId } = caller;
  await confirmPassword(deps, caller, typed.password);
  const name = normalizeName(typed.name);
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) throw new Refusal('UNAUTHENTICATED');
    if (account.name === name) return;
    await updateAccount(tx, userId, { name, search_text: searchText({ ...account, name }) });
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
