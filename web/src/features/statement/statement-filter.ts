import {
  type StatementAccount,
  type StatementKind,
  statementAccounts,
  statementKinds,
} from '@jangada/contract';
import { type Period, periodFrom } from '../../panel/period.ts';

/** The filter of the statement, kept in the address so that other screens can link to it. */
export type StatementFilter = Period & {
  /** Absent for the available balance. */
  account?: Exclude<StatementAccount, 'available'>;
  kind?: StatementKind;
};

/** Reads the filter from an address. Invalid values are dropped, so that an old or broken link still opens. */
export function statementFilterFrom(address: Record<string, unknown>): StatementFilter {
  const account = statementAccounts.find((name) => name === address['account']);
  const kind = statementKinds.find((name) => name === address['kind']);
  return {
    ...periodFrom(address),
    ...(account !== undefined && account !== 'available' && { account }),
    ...(kind !== undefined && { kind }),
  };
}
