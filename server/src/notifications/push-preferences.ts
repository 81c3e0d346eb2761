import { type NotificationKind, notificationKinds } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { replaceRefusedKinds, selectRefusedKinds } from './device-store.ts';

/** Whether each kind is sent to the devices. */
export type PushPreferences = Readonly<Record<NotificationKind, boolean>>;

export async function readPushPreferences(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<PushPreferences> {
  const refused = await selectRefusedKinds(db, merchantId);
  const wants = (kind: NotificationKind) => !refused.includes(kind);
  return {
    payments: wants('payments'),
    withdrawals: wants('withdrawals'),
    refunds: wants('refunds'),
    disputes: wants('disputes'),
    account: wants('account'),
    operation: wants('operation'),
  };
}

export async function setPushPreferences(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  wanted: PushPreferences,
): Promise<PushPreferences> {
  const refused = notificationKinds.filter((kind) => !wanted[kind]);
  await inTransaction(deps, (tx) => replaceRefusedKinds(tx, merchantId, refused));
  return readPushPreferences(deps, merchantId);
}
