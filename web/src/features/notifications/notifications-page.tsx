import { useInfiniteQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { LoadFailure, LoadMore } from '../../panel/list-body.tsx';
import { NotificationRow } from '../../panel/notifications/notification-row.tsx';
import { notificationsQuery, useMarkRead } from '../../panel/notifications/notifications-query.ts';
import { useNow } from '../../panel/use-now.ts';
import { Button, EmptyState, LoadingRegion, Notice, PageHeader, Panel, Skeleton } from '../../ui/index.ts';

const MINUTE_MS = 60_000;
const FAILURE_REASSURANCE = 'Suas notificações continuam guardadas.';
const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** All notifications of the account from the last 180 days. */
export function NotificationsPage() {
  const list = useInfiniteQuery(notificationsQuery);
  const markRead = useMarkRead();
  const now = useNow(true, MINUTE_MS);
  const notifications = list.data?.pages.flatMap((page) => page.notifications);
  const unreadCount = list.data?.pages[0]?.unread ?? 0;
  return (
    <>
      <PageHeader
        title="Notificações"
        sentence="O que aconteceu na sua conta nos últimos 180 dias."
        actions={
          unreadCount > 0 && (
            <Button
              className="max-md:grow"
              icon={<CheckCheck className="size-4" strokeWidth={1.75} aria-hidden="true" />}
              // Without ids, the call marks every notification.
              isSending={markRead.isPending && markRead.variables === undefined}
              sendingLabel="Marcando"
              onClick={() => markRead.mutate(undefined)}
            >
              Marcar todas como lidas
            </Button>
          )
        }
      />
      {markRead.isError && (
        <Notice tone="error" className="mb-4">
          {errorText(markRead.error, 'Erro ao marcar como lidas. Tente de novo.')}
        </Notice>
      )}
      {notifications === undefined && list.isError ? (
        <LoadFailure
          query={list}
          title="Erro ao buscar notificações"
          reassurance={FAILURE_REASSURANCE}
          place="list"
        />
      ) : notifications === undefined ? (
        <ListSkeleton />
      ) : notifications.length === 0 ? (
        <EmptyState className="border-t border-base-300" drawing="nothing-yet" title="Nenhuma notificação">
          Pix recebidos, saques, estornos, disputas e avisos da sua conta aparecem aqui.
        </EmptyState>
      ) : (
        <>
          <Panel flush as="div">
            <ul>
              {notifications.map((notification) => (
                <li key={notification.id} className="border-base-300 not-last:border-b">
                  <NotificationRow
                    notification={notification}
                    now={now}
                    onRead={(id) => markRead.mutate([id])}
                  />
                </li>
              ))}
            </ul>
          </Panel>
          <LoadMore query={list} failure="Erro ao buscar notificações" />
        </>
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <LoadingRegion>
      <Panel flush as="div">
        {SKELETON_KEYS.map((key) => (
          <div key={key} className="grid gap-2 border-base-300 px-4 py-3.5 not-last:border-b">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-64 max-w-full" />
          </div>
        ))}
      </Panel>
    </LoadingRegion>
  );
}
