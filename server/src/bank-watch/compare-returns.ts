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
  /** The bank's id of the return, or ours if the bank does not list it. */
  readonly reference: string;
  readonly atBank: BankReturn | undefined;
  readonly booked: BookedRefund | undefined;
};

/**
 * Returns the differences between the bank's returns (devoluções) of a Pix and our refunds of it. Only completed
 * returns and refunds are compared, because pending ones may still change.
 */
export function compareReturns(
  { returns }: Pick<BankReceivedPix, 'returns'>,
  booked: readonly BookedRefund[],
): ReturnDifference[] {
  const completedReturns = returns.filter(({ status }) => status === 'completed');
  const completedRefunds = booked.filter(({ status }) => status === 'completed');
  const differencesOfReturns = completedReturns.flatMap((atBank): ReturnDifference[] => {
    const refund = completedRefunds.find((candidate) => isRefundOf(candidate, atBank));
    const reference = atBank.rtrId ?? atBank.refundId;
    if (refund === undefined) return [{ differs: 'unbooked', reference, atBank, booked: undefined }];
    if (refund.amountCents === atBank.amountCents) return [];
    return [{ differs: 'amount', reference, atBank, booked: refund }];
  });
  const unlistedRefunds = completedRefunds.filter(
    (refund) => !completedReturns.some((atBank) => isRefundOf(refund, atBank)),
  );
  const differencesOfRefunds = unlistedRefunds.map((refund): ReturnDifference => {
    // The bank may list the return with a status other than completed.
    const atBank = returns.find((bankReturn) => isRefundOf(refund, bankReturn));
    return { differs: 'unlisted', reference: refund.rtrId ?? refund.bankRefundId, atBank, booked: refund };
  });
  return [...differencesOfReturns, ...differencesOfRefunds];
}

function isRefundOf({ bankRefundId, rtrId }: BookedRefund, atBank: BankReturn): boolean {
  return bankRefundId === atBank.refundId || (rtrId !== null && rtrId === atBank.rtrId);
}

/** Sums the completed returns of a Pix in the bank's list, in integer cents. */
export function sumCompletedReturns({ returns }: Pick<BankReceivedPix, 'returns'>): number {
  return returns
    .filter(({ status }) => status === 'completed')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}
