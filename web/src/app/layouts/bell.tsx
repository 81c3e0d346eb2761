import { useInfiniteQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { Link } from '../../navigation/index.ts';
import { NotificationRow } from '../../panel/notifications/notification-row.tsx';
import {
  MAX_UNREAD_COUNT,
  notificationsQuery,
  useMarkRead,
} from '../../panel/notifications/notifications-query.ts';
import { useNow } from '../../panel/use-now.ts';
import { Button, buttonClass, classNames, LoadingRegion, Skeleton } from '../../ui/index.ts';
import { paths } from '../paths.ts';

const NOTIFICATIONS_SHOWN = 5;
const MINUTE_MS = 60_000;

/** The button in the top bar with the unread count. It opens a list of the newest notifications. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useInfiniteQuery(notificationsQuery);
  const unreadCount = list.data?.pages[0]?.unread ?? 0;
  useEffect(() => {
    if (!open) return;
    const closeOnPressOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOnPressOutside);
    return () => document.removeEventListener('pointerdown', closeOnPressOutside);
  }, [open]);
  // A provider without a notification list gets no bell; the notifications that it pushes still appear as toasts.
  if (list.error instanceof UnsupportedCallError) return null;
  // The focused element may be in the list that closes, so the focus moves to the button first. Otherwise it would be
  // lost.
  const closeList = () => {
    button.current?.focus();
    setOpen(false);
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) closeList();
  };
  const closeOnBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and what it opens carry the roles
    <div ref={root} className="max-md:-mx-1 sm:relative" onKeyDown={closeOnEscape} onBlur={closeOnBlur}>
      <button
        ref={button}
        type="button"
        aria-label={accessibleName(unreadCount)}
        aria-expanded={open}
        className={classNames(
          buttonClass({ variant: 'quiet', size: 'small' }),
          'btn-square relative text-muted',
        )}
        onClick={() => setOpen(!open)}
      >
        <BellIcon className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
        {unreadCount > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-primary px-1 text-xs font-label text-primary-content tabular-nums"
          >
            {unreadLabel(unreadCount)}
          </span>
        )}
      </button>
      {open && <BellPopover onLeave={closeList} />}
    </div>
  );
}

function BellPopover({ onLeave }: { onLeave: () => void }) {
  return (
    <section
      aria-label="Notificações"
      className="absolute top-full z-30 pt-1 max-sm:inset-x-2 sm:right-0 sm:w-96"
    >
      <div className="overflow-hidden rounded-box border border-base-300 bg-raised shadow-menu">
        <NewestNotifications onLeave={onLeave} />
      </div>
    </section>
  );
}

/**
 * The accessible name of the bell. It contains the count as the bell displays it, so that voice control finds the
 * button by what is visible.
 */
function accessibleName(unreadCount: number): string {
  if (unreadCount === 0) return 'Notificações';
  return `Notificações, ${unreadLabel(unreadCount)} ${unreadCount === 1 ? 'não lida' : 'não lidas'}`;
}

/** The unread count as the bell displays it. The gateway counts only up to a maximum. */
function unreadLabel(count: number): string {
  return count >= MAX_UNREAD_COUNT ? `${MAX_UNREAD_COUNT - 1}+` : String(count);
}

function NewestNotifications({ onLeave }: { onLeave: () => void }) {
  const list = useInfiniteQuery(notificationsQuery);
  const markRead = useMarkRead();
  const unreadCount = list.data?.pages[0]?.unread ?? 0;
  return (
    <>
      <div className="flex h-12 items-center justify-between gap-4 border-b border-base-300 pr-2 pl-4">
        <h2 className="font-strong">Notificações</h2>
        {unreadCount > 0 && (
          <Button
            variant="quiet"
            size="small"
            isSending={markRead.isPending && markRead.variables === undefined}
            sendingLabel="Marcando"
            onClick={() => markRead.mutate(undefined)}
          >
            Marcar como lidas
          </Button>
        )}
      </div>
      <NotificationList onRead={(id) => markRead.mutate([id])} onLeave={onLeave} />
      <Link
        to={paths.notifications}
        className="flex h-11 items-center justify-center border-t border-base-300 font-medium text-primary hover:bg-hover"
        onClick={onLeave}
      >
        Ver todas
      </Link>
    </>
  );
}

/** The newest notifications, or what takes their place: a message, an error or placeholders. */
function NotificationList({ onRead, onLeave }: { onRead: (id: string) => void; onLeave: () => void }) {
  const list = useInfiniteQuery(notificationsQuery);
  const now = useNow(true, MINUTE_MS);
  const page = list.data?.pages[0];
  if (page === undefined && list.isError)
    return (
      <div className="grid justify-items-center gap-3 px-4 py-8 text-center text-muted">
        <p>Erro ao buscar notificações.</p>
        <Button
          size="small"
          isSending={list.isFetching}
          sendingLabel="Carregando"
          onClick={() => list.refetch()}
        >
          Tentar Novamente
        </Button>
      </div>
    );
  if (page === undefined)
    return (
      <LoadingRegion>
        <div className="grid gap-2 px-4 py-5">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-56" />
        </div>
      </LoadingRegion>
    );
  if (page.notifications.length === 0)
    return <p className="px-4 py-8 text-center text-muted">Nenhuma notificação ainda.</p>;
  return (
    <ul className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain">
      {page.notifications.slice(0, NOTIFICATIONS_SHOWN).map((notification) => (
        <li key={notification.id} className="border-base-300 not-last:border-b">
          <NotificationRow notification={notification} now={now} onRead={onRead} onLeave={onLeave} />
        </li>
      ))}
    </ul>
  );
}
