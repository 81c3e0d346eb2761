import {
  adminAcceptKyc,
  adminKycPicture,
  adminPendingKyc,
  adminRejectKyc,
  type KycSide,
  type PendingKycModel,
  parsePendingKyc,
} from '@jangada/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, download, send } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';

/** A page of the verifications that wait, oldest first; while another page loads, the one before stays. */
export const pendingQuery = (page: number) =>
  queryOptions({
    queryKey: ['pending-kyc', page],
    queryFn: async ({ signal }) => parsePendingKyc(await send(adminPendingKyc, { query: { page }, signal })),
    placeholderData: keepPreviousData,
  });

/** A picture as it was sent, whole. Each look is a call of its own: it stands in the audit log. */
export const pictureQuery = ({ userId, submission }: PendingKycModel, side: KycSide) =>
  queryOptions({
    queryKey: ['kyc-picture', userId, submission, side],
    queryFn: async ({ signal }) =>
      createImageBitmap(await download(adminKycPicture, { params: { userId, side }, signal })),
    // Nobody's documents stay in memory once they are not looked at.
    gcTime: 0,
  });

const seen = ({ submission }: PendingKycModel) => (submission === null ? {} : { submission });

export function approve(pending: PendingKycModel): Promise<unknown> {
  return call(adminAcceptKyc, { params: { userId: pending.userId }, body: seen(pending) });
}

export function reject(pending: PendingKycModel, reason: string): Promise<unknown> {
  return call(adminRejectKyc, { params: { userId: pending.userId }, body: { ...seen(pending), reason } });
}

/** After a decision, of whomever: the lists are loaded anew. */
export function pendingChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['pending-kyc'] });
}
