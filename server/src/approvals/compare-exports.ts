import type { ApprovalsExport, VerifiedItem } from './verify-export.ts';

/**
 * Finds what stood in an earlier export of the account and is missing or different now: its history must be the beginning
 * of the present one, and each of its requests must be there with the same text, and ended as it had.
 */
export function compareWithEarlier(content: ApprovalsExport, earlier: ApprovalsExport): VerifiedItem[] {
  const changed = (item: string): VerifiedItem => ({
    verdict: 'CHANGED',
    item,
    detail: 'not as in the earlier export',
  });
  const requests = new Map(content.requests.map((request) => [request.id, request]));
  return [
    ...(content.account === earlier.account ? [] : [changed('account')]),
    ...earlier.history.flatMap((entry, index) =>
      isSame(entry, content.history[index], entryFields) ? [] : [changed(`entry ${index + 1}`)],
    ),
    ...earlier.requests.flatMap((request) => {
      const isWaiting = request.status === 'open' || request.status === 'approved';
      const fields = isWaiting ? requestFields : [...requestFields, ...endFields];
      return isSame(request, requests.get(request.id), fields) ? [] : [changed(`request ${request.id}`)];
    }),
  ];
}

const entryFields = ['seq', 'kind', 'request', 'user', 'key', 'pix_key', 'mark', 'at'] as const;
const requestFields = ['kind', 'document', 'created_at'] as const;
const endFields = ['status', 'ended_at', 'history_seq'] as const;

function isSame<Content extends object>(
  before: Content,
  now: Content | undefined,
  fields: readonly (keyof Content)[],
): boolean {
  return now !== undefined && fields.every((field) => now[field] === before[field]);
}
