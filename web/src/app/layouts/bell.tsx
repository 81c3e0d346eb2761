import { useInfiniteQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { lazyScreen } from '../../navigation/index.ts';
import { MAX_UNREAD_COUNT, notificationsQuery } from '../../panel/notifications/notifications-query.ts';
import { buttonClass, classNames, LoadingRegion, Skeleton } from '../../ui/index.ts';
import { LeaveList } from './leave-list.ts';

// Loaded when the pointer or the focus comes near.
const NewestNotifications = lazyScreen(() => import('./newest-notifications.tsx'), 'NewestNotifications');
const load = () => void NewestNotifications.load?.();

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
        onPointerEnter={load}
        onFocus={load}
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
      {open && (
        <LeaveList value={closeList}>
          <BellPopover />
        </LeaveList>
      )}
    </div>
  );
}

function BellPopover() {
  return (
    <section
      aria-label="Notificações"
      className="absolute top-full z-30 pt-1 max-sm:inset-x-2 sm:right-0 sm:w-96"
    >
      <div className="overflow-hidden rounded-box border border-base-300 bg-raised shadow-menu">
        <Suspense
          fallback={
            <LoadingRegion>
              <Skeleton className="m-4 h-24" />
            </LoadingRegion>
          }
        >
          <NewestNotifications />
        </Suspense>
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
