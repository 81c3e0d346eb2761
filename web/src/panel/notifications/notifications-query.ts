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
/** The limit up to which the gateway counts unread notifications. */
export const UNREAD_COUNTED = 100;

type Page = ResponseOf<typeof listNotifications>;
export type NotificationPages = InfiniteData<Page, string | undefined>;

const queryKey = ['notifications'] as const;

/** The account's notifications, newest first. Beyond the specification. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey,
  queryFn: ({ pageParam, signal }) =>
    call(listNotifications, {
      query: { limit: PAGE_SIZE, ...(pageParam !== undefined && { before: pageParam }) },
      signal,
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  // The bell keeps its data for as long as the user is signed in.
  gcTime: Number.POSITIVE_INFINITY,
});

/** Adds a notification that has just arrived to the cache, before any refetch. */
export function addNotification(cache: QueryClient, notification: Notification): void {
  cache.setQueryData<NotificationPages>(queryKey, (known) => {
    const [first, ...others] = known?.pages ?? [];
    if (known === undefined || first === undefined) return known;
    if (first.notifications.some(({ id }) => id === notification.id)) return known;
    const newest = {
      ...first,
      notifications: [notification, ...first.notifications],
      unread: Math.min(first.unread + 1, UNREAD_COUNTED),
    };
    return { ...known, pages: [newest, ...others] };
  });
}

/** Updates the unread count after this or another screen changed it. */
export function noteUnread(cache: QueryClient, unread: number): void {
  const before = cache.getQueryData<NotificationPages>(queryKey)?.pages[0]?.unread;
  if (before === undefined || before === unread) return;
  if (unread === 0) markHere(cache, undefined, 0);
  else void cache.invalidateQueries({ queryKey });
}

/** Refetches after messages were missed. */
export function reloadNotifications(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey });
}

function markHere(cache: QueryClient, ids: readonly string[] | undefined, unread: number): void {
  const mark = (one: Notification) =>
    ids === undefined || ids.includes(one.id) ? { ...one, read: true } : one;
  cache.setQueryData<NotificationPages>(
    queryKey,
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, notifications: page.notifications.map(mark), unread })),
      },
  );
}

/** Marks some notifications as read, or all of them. */
export function useRead() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[] | undefined) =>
      call(readNotifications, { body: ids === undefined ? {} : { ids: [...ids] } }),
    onSuccess: ({ unread }, ids) => markHere(cache, ids, unread),
  });
}
