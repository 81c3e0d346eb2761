import { adminAuditLog } from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { AuditFilter } from '../../panel/audit-filter.ts';

/** The audit log, page by page, newest first; refetched each time the page opens. */
export const auditQuery = ({ user, action }: Omit<AuditFilter, 'id'>) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', { user, action }],
    queryFn: ({ signal, pageParam }) =>
      call(adminAuditLog, {
        query: { ...(user !== undefined && { user: String(user) }), action, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
