import {
  brlFromCents,
  type PixKeyTypeName,
  type PublicWithdrawalStatus,
  type QueriedWithdrawal,
  type WithdrawalDetail,
  type WithdrawalItem,
  type WithdrawalStatus,
  withdrawalStatuses,
} from '@jangada/contract';

/** A withdrawal as it stands in the database. Amounts in integer cents; the key receives amount less fee. */
export type Withdrawal = {
  readonly merchantId: number;
  readonly id: string;
  /** Our name for the order at the bank. */
  readonly idEnvio: string;
  readonly status: WithdrawalStatus;
  readonly origin: 'panel' | 'api';
  readonly amountCents: number;
  readonly feeCents: number;
  readonly keyType: PixKeyTypeName;
  /** Canonical, as DICT stores it. */
  readonly pixKey: string;
  readonly callbackUrl: string | null;
  readonly endToEndId: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
  /** Why an operator holds it back; null unless one does. */
  readonly heldBecause: string | null;
  /** What came back after completion. */
  readonly returnedCents: number;
  readonly sends: number;
  /** Since it was last sent: how often it was looked up, and how often the bank knew nothing of it. */
  readonly lookups: number;
  readonly notFound: number;
  readonly lastSentAt: Date | null;
  /** Since it left and nobody told what became of it. */
  readonly unknownSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
};

/** What leaves the bank. */
export function netCents({ amountCents, feeCents }: Pick<Withdrawal, 'amountCents' | 'feeCents'>): number {
  return amountCents - feeCents;
}

const publicStatuses = {
  pending: 'PENDING',
  processing: 'PENDING',
  completed: 'PAID',
  failed: 'ERROR',
} as const satisfies Record<WithdrawalStatus, PublicWithdrawalStatus>;

/** The statuses that the public API calls by one word. */
export function statusesOf(word: PublicWithdrawalStatus): WithdrawalStatus[] {
  return withdrawalStatuses.filter((status) => publicStatuses[status] === word);
}

/** As the public API and webhooks call it. */
export function publicStatusOf({ status }: Pick<Withdrawal, 'status'>) {
  return publicStatuses[status];
}

/** Nobody told what became of it, though the bank was asked. */
export function isInDoubt({ unknownSince, lookups, sends }: Withdrawal): boolean {
  return unknownSince !== null && (lookups > 0 || sends > 1);
}

function factsOf(withdrawal: Withdrawal) {
  return {
    id: withdrawal.id,
    status: withdrawal.status,
    pix_key: withdrawal.pixKey,
    pix_key_type: withdrawal.keyType,
    created_at: withdrawal.createdAt.toISOString(),
    updated_at: withdrawal.updatedAt.toISOString(),
    completed_at: withdrawal.completedAt?.toISOString() ?? null,
    error: withdrawal.error,
    amount_cents: withdrawal.amountCents,
    fee_cents: withdrawal.feeCents,
  };
}

export function toWithdrawalItem(withdrawal: Withdrawal): WithdrawalItem {
  return factsOf(withdrawal);
}

/** As the public API tells it. */
export function toPublicWithdrawal(withdrawal: Withdrawal): QueriedWithdrawal {
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

export function toWithdrawalDetail(withdrawal: Withdrawal): WithdrawalDetail {
  return {
    ...factsOf(withdrawal),
    amount: brlFromCents(withdrawal.amountCents),
    net_cents: netCents(withdrawal),
    returned_cents: withdrawal.returnedCents,
    end_to_end_id: withdrawal.endToEndId,
    in_doubt: isInDoubt(withdrawal),
  };
}
