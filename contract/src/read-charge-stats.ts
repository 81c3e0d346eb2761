import { type ChargeStatus, chargeStatuses } from './charge.ts';
import { centsOfAnswer } from './money.ts';
import { chargeStats } from './wallet.ts';

export type ChargesByStatus = {
  /** Each status once, in the order of `chargeStatuses`. */
  statuses: { status: ChargeStatus; count: number; cents: number }[];
  complete: boolean;
};

/** Reads the charges of a period by status. */
export function parseChargeStats(answer: unknown): ChargesByStatus {
  const { statuses, complete } = chargeStats.parse(answer);
  return {
    statuses: chargeStatuses.map((status) => {
      const told = statuses.find((one) => one.status === status);
      return { status, count: told?.count ?? 0, cents: centsOfAnswer(told?.amount ?? 0) ?? 0 };
    }),
    complete,
  };
}
