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
import { callRaw, download } from '../../api/client.ts';
import { supports } from '../../api/provider.ts';
import { queryClient } from '../../api/query.ts';

/** A page of the pending verifications, oldest first. The previous page stays visible while another one loads. */
export const pendingKycQuery = (page: number) =>
  queryOptions({
    queryKey: ['pending-kyc', page],
    queryFn: async ({ signal }) =>
      parsePendingKyc(await callRaw(adminPendingKyc, { query: { page }, signal })),
    placeholderData: keepPreviousData,
  });

/** A picture in full size. It is requested each time that it is opened, so that the audit log records every viewing. */
export const pictureQuery = ({ userId, submission, thumbnails }: PendingKycModel, side: KycSide) =>
  queryOptions({
    queryKey: ['kyc-picture', userId, submission, side],
    queryFn: async ({ signal }) => {
      // The provider is the server behind the API. One that lacks this download sends whole pictures, not thumbnails,
      // in the list.
      if (!supports('pictureDownload')) return createImageBitmap(blobFromDataUrl(thumbnails[side]));
      return createImageBitmap(await download(adminKycPicture, { params: { userId, side }, signal }));
    },
    // A picture does not stay in memory once its dialog is closed.
    gcTime: 0,
  });

/** Decodes a `data:` URL by hand, because the content security policy forbids `fetch` of such a URL. */
function blobFromDataUrl(dataUrl: string): Blob {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/s.exec(dataUrl) ?? [];
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
}

/**
 * The request names the submission, that is, the set of documents that the administrator saw, so that a newer one is
 * not decided unseen. Other providers have no ids of submissions.
 */
const submissionBody = ({ submission }: PendingKycModel) => (submission === null ? {} : { submission });

/** Approves the account of a pending verification. */
export function approve(pending: PendingKycModel): Promise<unknown> {
  return callRaw(adminAcceptKyc, { params: { userId: pending.userId }, body: submissionBody(pending) });
}

/** Rejects the documents of a pending verification. The account's holder reads the reason. */
export function reject(pending: PendingKycModel, reason: string): Promise<unknown> {
  return callRaw(adminRejectKyc, {
    params: { userId: pending.userId },
    body: { ...submissionBody(pending), reason },
  });
}

/** Fetches the list again after a decision, whether this administrator or another one made it. */
export function refetchPendingKyc(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['pending-kyc'] });
}
