import type { Notification, NotificationKind } from '@jangada/contract';
import { notificationKindOf } from '@jangada/contract';
import { ArrowUpRight, ListChecks, type LucideIcon, QrCode, Scale, Undo2, UserRound } from 'lucide-react';
import { formatDateTime, formatRelative } from '../../format/date.ts';
import { useNavigate } from '../../navigation/index.ts';
import { classNames } from '../../ui/index.ts';
import { notificationUrl } from './notification-url.ts';

const icons: Record<NotificationKind, LucideIcon> = {
  payments: QrCode,
  withdrawals: ArrowUpRight,
  refunds: Undo2,
  disputes: Scale,
  account: UserRound,
  operation: ListChecks,
};

/** One notification. A press marks it as read and opens the screen of its subject. */
export function NotificationRow({
  notification,
  now,
  onRead,
  onLeave,
}: {
  notification: Notification;
  now: number;
  onRead: (id: string) => void;
  /** Called before another screen opens. */
  onLeave?: () => void;
}) {
  const { id, title, body, timestamp, read, data } = notification;
  const navigate = useNavigate();
  const target = notificationUrl(data);
  const Icon = icons[notificationKindOf(data)];
  const press = () => {
    if (!read) onRead(id);
    if (target === undefined) return;
    onLeave?.();
    void navigate({ href: target });
  };
  return (
    <button
      type="button"
      className={classNames(
        'flex w-full items-start gap-3 px-4 py-3 text-left transition-colors duration-120 hover:bg-hover',
        '-outline-offset-2',
      )}
      onClick={press}
    >
      <Icon className="mt-0.5 size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-3">
          <span className={classNames('min-w-0 wrap-anywhere', read ? 'font-normal' : 'font-strong')}>
            {!read && <span className="sr-only">Não lida: </span>}
            {title}
          </span>
          <time
            dateTime={timestamp}
            title={formatDateTime(timestamp)}
            className="shrink-0 text-xs whitespace-nowrap text-muted tabular-nums"
          >
            {formatRelative(timestamp, new Date(now))}
          </time>
        </span>
        <span className="mt-0.5 block wrap-anywhere text-muted">{body}</span>
      </span>
      <span
        aria-hidden="true"
        className={classNames('mt-1.5 size-2 shrink-0 rounded-full', !read && 'bg-primary')}
      />
    </button>
  );
}
