import { type ChargeStatus, chargeStatuses } from './charge.ts';
import { centsFromResponse } from './money.ts';
import { chargeStats } from './wallet.ts';

/** The charges of a period, counted and summed by status. */
export type ChargesByStatus = {
  /** One entry for each status, in the order of `chargeStatuses`. */
  statuses: { status: ChargeStatus; count: number; cents: number }[];
  /** False if the period may have more charges than were counted. */
  complete: boolean;
};

/** Reads the counts and sums of charges by status. Both are 0 for a status that the response omits. */
export function parseChargeStats(response: unknown): ChargesByStatus {
  const { statuses, complete } = chargeStats.parse(response);
  return {
    statuses: chargeStatuses.map((status) => {
      const reported = statuses.find((row) => row.status === status);
      return { status, count: reported?.count ?? 0, cents: centsFromResponse(reported?.amount ?? 0) ?? 0 };
    }),
    complete,
  };
}
