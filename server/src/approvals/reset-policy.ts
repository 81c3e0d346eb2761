import type { TxWithSecrets } from '../db/transaction.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { Refusal } from '../refusal.ts';
import { endRequest, isEnded, keyOf } from './decide-request.ts';
import { type AllOrderHooks, hooksOf } from './order-hooks.ts';
import { readPolicy } from './read-policy.ts';
import { insertHistory, lockRequest, selectAllRequests, selectCandidates } from './store.ts';

/** Locks an account, and returns the place that its next entry will have. Refused with APPROVALS_OFF without a policy. */
export async function lockPolicyToReset(tx: TxWithSecrets, merchantId: number): Promise<number> {
  await lockMerchant(tx, merchantId);
  const { isOn, entryCount } = await readPolicy(tx, merchantId);
  if (!isOn) throw new Refusal('APPROVALS_OFF');
  return entryCount + 1;
}

/** Those whom the policy of an account concerned: who approved, and who had the role to. */
export async function findPeopleOfPolicy(tx: TxWithSecrets, merchantId: number): Promise<Set<number>> {
  const { approvers } = await readPolicy(tx, merchantId);
  const candidates = await selectCandidates(tx.db, merchantId);
  return new Set([...approvers.keys(), ...candidates.map(({ userId }) => userId)]);
}

/**
 * Takes the policy of an account off without approvals, and cancels what waits: orders fail, and their money comes back.
 * The database refuses it to any role but the owner of its tables. Comes last in its transaction. Returns how many
 * requests ended. The caller has locked the policy (`lockPolicyToReset`).
 */
export async function resetPolicy(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  merchantId: number,
): Promise<number> {
  await insertHistory(tx, { merchant_id: merchantId, kind: 'reset' });
  const waiting = (await selectAllRequests(tx.db, merchantId)).filter((request) => !isEnded(request));
  // All orders before all requests, which is the order of locks.
  for (const { kind, subject } of waiting) await hooksOf(hooks, kind)?.lock(tx, merchantId, subject);
  let endedCount = 0;
  for (const seen of waiting) {
    const request = await lockRequest(tx, keyOf(seen));
    if (request === undefined || isEnded(request)) continue;
    await endRequest(tx, hooks, request, {
      status: 'cancelled',
      endedBy: null,
      reason: null,
      end: {
        code: 'APPROVAL_CANCELLED',
        text: 'O operador desligou a política de aprovação da conta, e os pedidos que esperavam terminaram.',
      },
    });
    endedCount += 1;
  }
  return endedCount;
}
