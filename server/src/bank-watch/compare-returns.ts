import type { BankReceivedPix, BankReturn } from '../psp/index.ts';

/** The fields of a booked refund that are compared. */
export type BookedRefund = {
  readonly id: string;
  readonly bankRefundId: string;
  readonly rtrId: string | null;
  readonly status: 'processing' | 'completed' | 'failed';
  readonly amountCents: number;
};

export type ReturnDifference = {
  /** `unbooked`: listed by the bank, but not booked. `unlisted`: booked, but not listed by the bank. */
  readonly differs: 'unbooked' | 'unlisted' | 'amount';
  /** The bank's id for it, or ours if the bank does not list it. */
  readonly name: string;
  readonly atBank: BankReturn | undefined;
  readonly booked: BookedRefund | undefined;
};

/**
 * Differences between the bank's returns of a Pix and our refunds. Anything pending on either side is no difference
 * yet.
 */
export function compareReturns(
  { returns }: Pick<BankReceivedPix, 'returns'>,
  booked: readonly BookedRefund[],
): ReturnDifference[] {
  const completed = returns.filter(({ status }) => status === 'completed');
  const ours = booked.filter(({ status }) => status === 'completed');
  const found = completed.flatMap((atBank): ReturnDifference[] => {
    const same = ours.find((one) => isSame(one, atBank));
    const name = atBank.rtrId ?? atBank.refundId;
    if (same === undefined) return [{ differs: 'unbooked', name, atBank, booked: undefined }];
    if (same.amountCents === atBank.amountCents) return [];
    return [{ differs: 'amount', name, atBank, booked: same }];
  });
  const unlisted = ours.filter((one) => !completed.some((atBank) => isSame(one, atBank)));
  return [
    ...found,
    ...unlisted.map((one): ReturnDifference => {
      const atBank = returns.find((returned) => isSame(one, returned));
      return { differs: 'unlisted', name: one.rtrId ?? one.bankRefundId, atBank, booked: one };
    }),
  ];
}

function isSame({ bankRefundId, rtrId }: BookedRefund, atBank: BankReturn): boolean {
  return bankRefundId === atBank.refundId || (rtrId !== null && rtrId === atBank.rtrId);
}

/** The completed returns of a Pix by the bank's list, in integer cents. */
export function returnedCents({ returns }: Pick<BankReceivedPix, 'returns'>): number {
  return returns.reduce((sum, one) => sum + (one.status === 'completed' ? one.amountCents : 0), 0);
}
