import { kycQuery, moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { reloadNotifications } from '../../panel/notifications/notifications-query.ts';
import { endSession } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { openLiveChannel } from './live-channel.ts';
import { applyLiveMessage, lineOf, readLiveMessage } from './live-messages.ts';

/** Payments may arrive by the dozen; lists and sums are refetched at most this often. */
const RELOAD_APART_MS = 1000;

/** True when the charge's screen is open: it announces its own payment, which must not be announced twice. */
function isOnScreen(chargeId: unknown): boolean {
  return (
    queryClient
      .getQueryCache()
      .find({ queryKey: ['charge', chargeId] })
      ?.isActive() ?? false
  );
}

/** Keeps the open screens in sync with the gateway. Returns a function that stops it. */
export function followLive(): () => void {
  let reload: ReturnType<typeof setTimeout> | undefined;
  const reloadSoon = () => {
    reload ??= setTimeout(() => {
      reload = undefined;
      void moneyChanged();
      void queryClient.invalidateQueries(kycQuery);
    }, RELOAD_APART_MS);
  };
  const channel = openLiveChannel({
    onMessage(text) {
      const message = readLiveMessage(text);
      if (message === undefined) return;
      applyLiveMessage(queryClient, message);
      if (message.type === 'unread') return;
      if (message.type !== 'notification') return reloadSoon();
      const { notification } = message;
      toast(lineOf(notification), { unannounced: isOnScreen(notification.data['id']) });
    },
    onRegained() {
      reloadSoon();
      reloadNotifications(queryClient);
    },
    onFrozen() {
      endSession('frozen');
    },
  });
  return () => {
    clearTimeout(reload);
    channel.stop();
  };
}
