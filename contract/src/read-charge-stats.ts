import { type ChargeStatus, chargeStatuses } from './charge.ts';
import { centsOfAnswer } from './money.ts';
import { chargeStats } from './wallet.ts';

/** The charges of a period, counted and summed by status. */
export type ChargesByStatus = {
  /** Each status once, in the order of `chargeStatuses`. */
  statuses: { status: ChargeStatus; count: number; cents: number }[];
  /** False if the period may have more charges than were counted. */
  complete: boolean;
};

/** Reads the charges of a period by status. A status that the response omits has no charges. */
export function parseChargeStats(answer: unknown): ChargesByStatus {
  const { statuses, complete } = chargeStats.parse(answer);
  return {
    statuses: chargeStatuses.map((status) => {
      const reported = statuses.find((row) => row.status === status);
      return { status, count: reported?.count ?? 0, cents: centsOfAnswer(reported?.amount ?? 0) ?? 0 };
    }),
    complete,
  };
}
