import {
  brlFromCents,
  type IntegratorWithdrawal,
  type Maker,
  type PixKeyTypeName,
  type PublicWithdrawalStatus,
  type WithdrawalDetail,
  type WithdrawalItem,
  type WithdrawalStatus,
  withdrawalStatuses,
} from '@jangada/contract';
import type { MoneyOrder } from '../approvals/index.ts';
import type { BankOrder } from '../bank-orders.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/**
 * A withdrawal as stored: an order to pay a merchant's money out to a Pix key. Amounts in integer cents. The payee
 * receives the amount less the fee.
 */
export type Withdrawal = BankOrder & {
  /** Our id of the withdrawal at the bank. */
  readonly idEnvio: string;
  readonly status: WithdrawalStatus;
  readonly origin: 'panel' | 'api';
  readonly amountCents: number;
  readonly feeCents: number;
  readonly keyType: PixKeyTypeName;
  /** In the canonical form of DICT, the central bank's directory of Pix keys. */
  readonly pixKey: string;
  readonly callbackUrl: string | null;
  /** The person who asked for it in the dashboard; null if an API key did. */
  readonly madeBy: number | null;
  /** The nationwide identifier of the payout's Pix, once the bank has reported it. */
  readonly endToEndId: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
  /** The reason why an operator holds the withdrawal; null if it is not held. */
  readonly operatorHoldReason: string | null;
  /** The amount that the payee's bank has returned since the withdrawal was completed. */
  readonly returnedCents: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
};

/**
 * The amount that the bank pays out: the withdrawal's amount less the fee. From an account of the merchant's own all of it
 * is paid out, because the fee is billed.
 */
export function netCents({
  amountCents,
  feeCents,
  connectionId,
}: Pick<Withdrawal, 'amountCents' | 'feeCents' | 'connectionId'>): number {
  return connectionId === HOUSE_CONNECTION ? amountCents - feeCents : amountCents;
}

const publicStatuses = {
  pending: 'PENDING',
  processing: 'PENDING',
  completed: 'PAID',
  failed: 'ERROR',
} as const satisfies Record<WithdrawalStatus, PublicWithdrawalStatus>;

/** The internal statuses that the public API shows as `publicStatus`. */
export function internalStatusesOf(publicStatus: PublicWithdrawalStatus): WithdrawalStatus[] {
  return withdrawalStatuses.filter((status) => publicStatuses[status] === publicStatus);
}

/** The status of a withdrawal in the public API and in webhooks. */
export function publicStatusOf({ status }: Pick<Withdrawal, 'status'>) {
  return publicStatuses[status];
}

/** The withdrawal as the order that other people approve. */
export function moneyOrderOf({
  merchantId,
  id,
  connectionId,
  amountCents,
  feeCents,
  pixKey,
  keyType,
  idEnvio,
  origin,
  madeBy,
}: Pick<
  Withdrawal,
  | 'merchantId'
  | 'id'
  | 'connectionId'
  | 'amountCents'
  | 'feeCents'
  | 'pixKey'
  | 'keyType'
  | 'idEnvio'
  | 'origin'
  | 'madeBy'
>): MoneyOrder {
  return {
    kind: 'withdrawal',
    merchantId,
    id,
    connectionId,
    amountCents,
    feeCents,
    to: { pixKey, keyType },
    bankOrderId: idEnvio,
    isByKey: origin === 'api',
    madeBy,
  };
}

/** Whether the withdrawal's outcome is still unknown after a look-up or a resend. */
export function isInDoubt({ unknownSince, lookupCount, sendCount }: Withdrawal): boolean {
  return unknownSince !== null && (lookupCount > 0 || sendCount > 1);
}

/** The fields that the panel's list and detail view share. */
function panelFields(withdrawal: Withdrawal, maker: Maker | null) {
  return {
    id: withdrawal.id,
    status: withdrawal.status,
    pix_key: withdrawal.pixKey,
    pix_key_type: withdrawal.keyType,
    created_at: withdrawal.createdAt.toISOString(),
    updated_at: withdrawal.updatedAt.toISOString(),
    completed_at: withdrawal.completedAt?.toISOString() ?? null,
    error: withdrawal.error,
    ...(withdrawal.errorCode === 'APPROVAL_WAITING' && { awaits_approval: true }),
    amount_cents: withdrawal.amountCents,
    fee_cents: withdrawal.feeCents,
    made_by: maker,
    ...(withdrawal.connectionId !== HOUSE_CONNECTION && { fee_billed: true }),
  };
}

export function toWithdrawalItem(withdrawal: Withdrawal, maker: Maker | null): WithdrawalItem {
  return panelFields(withdrawal, maker);
}

/** Converts a withdrawal to the form in which the public API returns it. */
export function toPublicWithdrawal(withdrawal: Withdrawal): IntegratorWithdrawal {
  return {
    withdrawal_id: withdrawal.id,
    status: publicStatusOf(withdrawal),
    amount: withdrawal.amountCents,
    fee: withdrawal.feeCents,
    returned_amount: withdrawal.returnedCents,
    pix_key: withdrawal.pixKey,
    pix_key_type: withdrawal.keyType,
    end_to_end_id: withdrawal.endToEndId,
    error: withdrawal.error,
    created_at: withdrawal.createdAt.toISOString(),
    updated_at: withdrawal.updatedAt.toISOString(),
    completed_at: withdrawal.completedAt?.toISOString() ?? null,
  };
}

export function toWithdrawalDetail(
  withdrawal: Withdrawal,
  maker: Maker | null,
  accountName?: string,
): WithdrawalDetail {
  return {
    ...panelFields(withdrawal, maker),
    amount: brlFromCents(withdrawal.amountCents),
    net_cents: netCents(withdrawal),
    ...(accountName !== undefined && { account_name: accountName }),
    returned_cents: withdrawal.returnedCents,
    end_to_end_id: withdrawal.endToEndId,
    in_doubt: isInDoubt(withdrawal),
  };
}
