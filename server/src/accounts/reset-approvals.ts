import {
  type AllOrderHooks,
  findPeopleOfPolicy,
  lockPolicyToReset,
  resetPolicy,
} from '../approvals/index.ts';
import { insertAuditEntry } from '../audit/index.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { findByLogin } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { tellMembers, tellPerson } from '../members/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { findAccountById } from './store.ts';

type ResetOfApprovals = {
  /** The number or username of the account; 0 for the operator's own policy. */
  readonly account: string;
  readonly reason: string;
};

/**
 * Takes the policy of an account off, in which too few people are left who can approve, and holds the money that leaves
 * it for three days. Cancels what waits for approval, and tells every member, or every administrator. Needs the
 * connection of the database's owner. Refused with USER_NOT_FOUND or APPROVALS_OFF. Returns the account's number and how
 * many requests ended.
 */
export async function resetApprovals(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  { account, reason }: ResetOfApprovals,
): Promise<{ readonly merchantId: number; readonly endedCount: number }> {
  const merchantId = await findAccountId(tx, account);
  const seq = await lockPolicyToReset(tx, merchantId);
  if (merchantId !== PLATFORM) await holdWithdrawals(tx, merchantId, 'approvals-reset');
  await insertAuditEntry(tx, {
    actor_id: PLATFORM,
    action: 'approval policy reset',
    subject_id: merchantId,
    reason,
    before: {},
    after: { entry: seq },
  });
  await tellEverybody(tx, merchantId);
  return { merchantId, endedCount: await resetPolicy(tx, hooks, merchantId) };
}

async function findAccountId(tx: TxWithSecrets, account: string): Promise<number> {
  if (account === String(PLATFORM)) return PLATFORM;
  const byNumber = /^[1-9]\d{0,14}$/.test(account)
    ? await findAccountById(tx.db, Number(account))
    : undefined;
  // A username may have digits only, too.
  const byName = await findByLogin(tx.db, account.normalize('NFC').toLowerCase());
  if (byNumber !== undefined && byName !== undefined && byNumber.id !== byName.id)
    throw new Refusal('USER_NOT_FOUND', {
      message: `${account} é o número de uma conta e o usuário de outra. Diga qual pelo e-mail.`,
    });
  const found = byNumber ?? byName;
  if (found === undefined) throw new Refusal('USER_NOT_FOUND');
  return found.id;
}

async function tellEverybody(tx: TxWithSecrets, merchantId: number): Promise<void> {
  const title = 'Política de aprovação desligada pelo operador';
  const text =
    'O operador do gateway desligou a política de aprovação sem as aprovações que ela pedia, e os pedidos que esperavam terminaram.';
  if (merchantId !== PLATFORM) {
    const held = `${text} Os saques ficam suspensos por 72 horas. Se isso for estranho, fale com o suporte agora.`;
    return tellMembers(tx, merchantId, { title, mail: held, panel: held });
  }
  const news = { title, mail: text, panel: text };
  const people = await findPeopleOfPolicy(tx, merchantId);
  for (const userId of people) await tellPerson(tx, userId, { ...news, mail: `No gateway: ${text}` });
}
