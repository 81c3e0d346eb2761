import { getDispute, parseDisputeDetail } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '../../api/client.ts';

/** One dispute with its defence. */
export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['dispute', id],
    queryFn: async ({ signal }) => parseDisputeDetail(await send(getDispute, { params: { id }, signal })),
  });
