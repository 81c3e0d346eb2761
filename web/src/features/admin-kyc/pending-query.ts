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

/** A page of the verifications that wait, oldest first; while another page loads, the one before stays. */
export const pendingQuery = (page: number) =>
  queryOptions({
    queryKey: ['pending-kyc', page],
    queryFn: async ({ signal }) => parsePendingKyc(await send(adminPendingKyc, { query: { page }, signal })),
    placeholderData: keepPreviousData,
  });

/** A picture as it was sent, whole. Each look is a call of its own: it stands in the audit log. */
export const pictureQuery = ({ userId, submission, thumbnails }: PendingKycModel, side: KycSide) =>
  queryOptions({
    queryKey: ['kyc-picture', userId, submission, side],
    queryFn: async ({ signal }) => {
      // Without that call, the list itself holds the whole picture.
      if (!supports('pictureDownload')) return createImageBitmap(imageOf(thumbnails[side]));
      return createImageBitmap(await download(adminKycPicture, { params: { userId, side }, signal }));
    },
    // Nobody's documents stay in memory once they are not looked at.
    gcTime: 0,
  });

/** The bytes of a `data:` address; the policy of these pages lets nobody fetch one. */
function imageOf(address: string): Blob {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/s.exec(address) ?? [];
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
}

const seen = ({ submission }: PendingKycModel) => (submission === null ? {} : { submission });

export function approve(pending: PendingKycModel): Promise<unknown> {
  return send(adminAcceptKyc, { params: { userId: pending.userId }, body: seen(pending) });
}

export function reject(pending: PendingKycModel, reason: string): Promise<unknown> {
  return send(adminRejectKyc, { params: { userId: pending.userId }, body: { ...seen(pending), reason } });
}

/** Refetches the lists after a decision, whoever made it. */
export function pendingChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['pending-kyc'] });
}
