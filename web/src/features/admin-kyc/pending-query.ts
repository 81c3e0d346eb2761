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
import { download, send } from '../../api/client.ts';
import { supports } from '../../api/provider.ts';
import { queryClient } from '../../api/query.ts';

/** A page of the pending verifications, oldest first. The previous page stays visible while another one loads. */
export const pendingQuery = (page: number) =>
  queryOptions({
    queryKey: ['pending-kyc', page],
    queryFn: async ({ signal }) => parsePendingKyc(await send(adminPendingKyc, { query: { page }, signal })),
    placeholderData: keepPreviousData,
  });

/** A picture in full size. Each view is a separate request, so that the audit log records it. */
export const pictureQuery = ({ userId, submission, thumbnails }: PendingKycModel, side: KycSide) =>
  queryOptions({
    queryKey: ['kyc-picture', userId, submission, side],
    queryFn: async ({ signal }) => {
      // Without that call, the list itself holds the whole picture.
      if (!supports('pictureDownload')) return createImageBitmap(imageOf(thumbnails[side]));
      return createImageBitmap(await download(adminKycPicture, { params: { userId, side }, signal }));
    },
    // Documents do not stay in memory once they are closed.
    gcTime: 0,
  });

/** Decodes a `data:` URL by hand, because the content security policy forbids fetching one. */
function imageOf(address: string): Blob {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/s.exec(address) ?? [];
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
}

/** Names the submission that the administrator saw, so that a newer one is not decided unseen. */
const submissionBody = ({ submission }: PendingKycModel) => (submission === null ? {} : { submission });

export function approve(pending: PendingKycModel): Promise<unknown> {
  return send(adminAcceptKyc, { params: { userId: pending.userId }, body: submissionBody(pending) });
}

export function reject(pending: PendingKycModel, reason: string): Promise<unknown> {
  return send(adminRejectKyc, {
    params: { userId: pending.userId },
    body: { ...submissionBody(pending), reason },
  });
}

/** Refetches the lists after a decision, also when somebody else made it. */
export function refetchPending(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['pending-kyc'] });
}
