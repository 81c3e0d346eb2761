import {
  type StatementAccount,
  type StatementKind,
  statementAccounts,
  statementKinds,
} from '@jangada/contract';
import { type Period, periodFrom } from '../../panel/period.ts';

/** The filter of the statement, kept in the URL so that other screens can link to it. */
export type StatementFilter = Period & {
  /** Absent for the balance into which the merchant is paid. */
  account?: StatementAccount;
  kind?: StatementKind;
};

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function statementFilterFrom(urlParams: Record<string, unknown>): StatementFilter {
  const account = statementAccounts.find((name) => name === urlParams['account']);
  const kind = statementKinds.find((name) => name === urlParams['kind']);
  return {
    ...periodFrom(urlParams),
    ...(account !== undefined && { account }),
    ...(kind !== undefined && { kind }),
  };
}
