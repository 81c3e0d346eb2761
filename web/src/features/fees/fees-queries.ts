import {
  type FeeStatementDetail,
  type FeeStatementPix,
  getFeeStatement,
  listFeeStatements,
  payFeeStatement,
} from '@jangada/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, RECHECK_MS } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';

const PAGE_SIZE = 12;

/** The merchant's fee statements, page by page, and the running month. The keys of all these queries begin with `fees`. */
export const feesQuery = (page: number) =>
  queryOptions({
    queryKey: ['fees', 'list', page],
    queryFn: ({ signal }) => call(listFeeStatements, { query: { page, pageSize: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

const feeStatementQuery = (id: string) =>
  queryOptions({
    queryKey: ['fees', 'statement', id],
    queryFn: ({ signal }) => call(getFeeStatement, { params: { id }, signal }),
  });

/**
 * One statement. The live channel tells when it is paid; while its code is shown, the statement is polled as well, for
 * the channel does not report what happened before it opened.
 */
export function useFeeStatement(id: string) {
  const pollMs = useLiveState() === 'open' ? RECHECK_MS : POLL_MS;
  return useQuery({
    ...feeStatementQuery(id),
    refetchInterval: ({ state: { data } }) => data?.status === 'open' && data.pix !== null && pollMs,
  });
}

/** Makes the code by which a statement is paid, and shows it on the statement's page. */
export async function makeCode(id: string): Promise<FeeStatementPix> {
  try {
    const pix = await call(payFeeStatement, { params: { id } });
    queryClient.setQueryData<FeeStatementDetail>(
      feeStatementQuery(id).queryKey,
      (statement) => statement && { ...statement, pix },
    );
    return pix;
  } catch (error) {
    // A refusal may mean that the statement was paid meanwhile.
    void queryClient.invalidateQueries({ queryKey: ['fees'] });
    throw error;
  }
}
