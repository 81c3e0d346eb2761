import { listNotifications, type Notification, type ResponseOf, readNotifications } from '@jangada/contract';
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const PAGE_SIZE = 20;
/** The gateway counts unread notifications only up to this number. */
export const MAX_UNREAD_COUNT = 100;

type Page = ResponseOf<typeof listNotifications>;
export type NotificationPages = InfiniteData<Page, string | undefined>;

const queryKey = ['notifications'] as const;

/**
 * The account's notifications, newest first. The call is beyond the common specification, so other gateways
 * may lack it.
 */
export const notificationsQuery = infiniteQueryOptions({
  queryKey,
  queryFn: ({ pageParam, signal }) =>
    call(listNotifications, {
      query: { limit: PAGE_SIZE, ...(pageParam !== undefined && { before: pageParam }) },
      signal,
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  // Never discarded while the user is signed in, because the bell is on every screen.
  gcTime: Number.POSITIVE_INFINITY,
});

/** Adds a notification that has just arrived to the cache, before any refetch. */
export function addNotification(cache: QueryClient, notification: Notification): void {
  cache.setQueryData<NotificationPages>(queryKey, (cached) => {
    const [first, ...others] = cached?.pages ?? [];
    if (cached === undefined || first === undefined) return cached;
    if (first.notifications.some(({ id }) => id === notification.id)) return cached;
    const newFirstPage = {
      ...first,
      notifications: [notification, ...first.notifications],
      unread: Math.min(first.unread + 1, MAX_UNREAD_COUNT),
    };
    return { ...cached, pages: [newFirstPage, ...others] };
  });
}

/**
 * Applies an unread count that the gateway reported after notifications were marked as read, here or on another screen.
 */
export function applyUnreadCount(cache: QueryClient, unread: number): void {
  const cachedUnread = cache.getQueryData<NotificationPages>(queryKey)?.pages[0]?.unread;
  if (cachedUnread === undefined || cachedUnread === unread) return;
  if (unread === 0) markCachedAsRead(cache, undefined, 0);
  else void cache.invalidateQueries({ queryKey });
}

/** Refetches the notifications after live messages were missed. */
export function refetchNotifications(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey });
}

/** Marks the cached notifications with these ids as read; undefined means all of them. */
function markCachedAsRead(cache: QueryClient, ids: readonly string[] | undefined, unread: number): void {
  const mark = (notification: Notification) =>
    ids === undefined || ids.includes(notification.id) ? { ...notification, read: true } : notification;
  cache.setQueryData<NotificationPages>(
    queryKey,
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({ ...page, notifications: page.notifications.map(mark), unread })),
      },
  );
}

/** Marks the notifications with the given ids as read, or all of them when the ids are undefined. */
export function useMarkRead() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[] | undefined) =>
      call(readNotifications, { body: ids === undefined ? {} : { ids: [...ids] } }),
    onSuccess: ({ unread }, ids) => markCachedAsRead(cache, ids, unread),
  });
}
