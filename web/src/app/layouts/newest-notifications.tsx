import { useInfiniteQuery } from '@tanstack/react-query';
import { use } from 'react';
import { Link } from '../../navigation/index.ts';
import { NotificationRow } from '../../panel/notifications/notification-row.tsx';
import { notificationsQuery, useMarkRead } from '../../panel/notifications/notifications-query.ts';
import { useNow } from '../../panel/use-now.ts';
import { Button, LoadingRegion, Skeleton } from '../../ui/index.ts';
import { paths } from '../paths.ts';
import { LeaveList } from './leave-list.ts';

const NOTIFICATIONS_SHOWN = 5;
const MINUTE_MS = 60_000;

/** The content of the list that the bell opens. */
export function NewestNotifications() {
  const onLeave = use(LeaveList);
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
