import { kycQuery, refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { refetchNotifications } from '../../panel/notifications/notifications-query.ts';
import { endSession } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { openLiveChannel } from './live-channel.ts';
import { applyLiveMessage, notificationLine, readLiveMessage } from './live-messages.ts';

/** Lists and sums are refetched at most this often, because payments may arrive by the dozen. */
const MIN_REFETCH_INTERVAL_MS = 1000;

/**
 * True when the screen of this charge is open. That screen announces the payment itself, so the toast is not announced.
 */
function isOnScreen(chargeId: unknown): boolean {
  return (
    queryClient
      .getQueryCache()
      .find({ queryKey: ['charge', chargeId] })
      ?.isActive() ?? false
  );
}

/**
 * Keeps the open screens up to date with the messages that the gateway pushes. Returns a function that closes the
 * channel.
 */
export function startLiveUpdates(): () => void {
  let reloadTimer: ReturnType<typeof setTimeout> | undefined;
  const scheduleRefetch = () => {
    reloadTimer ??= setTimeout(() => {
      reloadTimer = undefined;
      void refetchMoney();
      void queryClient.invalidateQueries(kycQuery);
    }, MIN_REFETCH_INTERVAL_MS);
  };
  const channel = openLiveChannel({
    onMessage(text) {
      const message = readLiveMessage(text);
      if (message === undefined) return;
      applyLiveMessage(queryClient, message);
      if (message.type === 'unread') return;
      if (message.type !== 'notification') return scheduleRefetch();
      const { notification } = message;
      toast(notificationLine(notification), { unannounced: isOnScreen(notification.data['id']) });
    },
    onReconnected() {
      scheduleRefetch();
      refetchNotifications(queryClient);
    },
    onFrozen() {
      endSession('frozen');
    },
  });
  return () => {
    clearTimeout(reloadTimer);
    channel.stop();
  };
}
