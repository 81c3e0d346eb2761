import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { changeUser, confirmPassword, enforceAttemptLimit, refuseFormerHolder } from '../identity/index.ts';
import { notifyAdministrators } from '../notifications/index.ts';
import { Refusal } from '../refusal.ts';
import { notifyAccountChange } from './change-account.ts';
import { lockAccount } from './store.ts';

type ClosingDeps = Pick<Deps, 'db' | 'clock'>;

/** Limited because each attempt sends a mail, perhaps to an address that belongs to somebody else. */
const attemptLimit = { limit: 10, windowSeconds: 3600 };

/**
 * Requests the closing of the caller's account, notifies the administrators and returns the time of the request.
 * Refused with NOT_HOLDER, CLOSING_REQUESTED, PASSWORD_WRONG, RATE_LIMITED or OVERLOADED.
 */
export async function requestClosing(
  deps: ClosingDeps,
  caller: Caller,
  { password, reason }: { readonly password: string; readonly reason?: string | undefined },
): Promise<Date> {
  const { userId } = caller;
  await confirmPassword(deps, caller, password);
  await enforceAttemptLimit(deps, { key: `close ${userId}`, ...attemptLimit });
  return inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) throw new Refusal('UNAUTHENTICATED');
    await refuseFormerHolder(tx.db, userId);
    if (account.closing_requested_at !== null) throw new Refusal('CLOSING_REQUESTED');
    await changeUser(tx, userId, { closing_requested_at: tx.now, closing_reason: reason || null });
    const body =
      'Recebemos o pedido de encerramento da sua conta. Um administrador o conclui quando não houver dinheiro nela; até lá você pode desistir no seu perfil.';
    await notifyAccountChange(tx, { userId, kind: 'closing', title: 'Encerramento da conta pedido', body });
    await notifyAdministrators(tx, {
      type: 'operation.closing',
      id: String(userId),
      title: 'Pedido de encerramento',
      body: `${account.name} pediu o encerramento da conta.`,
    });
    return tx.now;
  });
}

/**
 * Cancels the closing request of the caller's account. Refused with RATE_LIMITED, or with NOT_FOUND if there is no
 * request.
 */
export async function cancelClosingRequest(deps: ClosingDeps, { userId }: Caller): Promise<void> {
  await enforceAttemptLimit(deps, { key: `stay ${userId}`, ...attemptLimit });
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined || account.closing_requested_at === null) throw new Refusal('NOT_FOUND');
    await changeUser(tx, userId, { closing_requested_at: null, closing_reason: null });
    const body = 'O pedido de encerramento da sua conta foi retirado. Ela continua como estava.';
    await notifyAccountChange(tx, {
      userId,
      kind: 'closing',
      title: 'Pedido de encerramento retirado',
      body,
    });
  });
}
