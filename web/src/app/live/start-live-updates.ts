import { kycQuery, profileQuery, refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { refetchApprovals } from '../../panel/approvals/approvals-queries.ts';
import { refetchNotifications } from '../../panel/notifications/notifications-query.ts';
import { isOwnAccount } from '../../session/account.ts';
import { endSession, session } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { openLiveChannel } from './live-channel.ts';
import { applyLiveMessage, isAboutOwnAccounts, notificationLine, readLiveMessage } from './live-messages.ts';
import { refetchOwnAccounts } from './refetch-own-accounts.ts';

/** Lists and sums are refetched at most this often, because payments may arrive by the dozen. */
const MIN_REFETCH_INTERVAL_MS = 1000;

/**
 * If the channel opens later than this after the first figures were asked for, they are fetched again: no channel has
 * reported what changed meanwhile.
 */
const MAX_UNWATCHED_MS = 5000;

/**
 * Keeps the open screens up to date with the messages that the gateway pushes. Returns a function that closes the
 * channel.
 */
export function startLiveUpdates(): () => void {
  let refetchTimer: ReturnType<typeof setTimeout> | undefined;
  const scheduleRefetch = () => {
    refetchTimer ??= setTimeout(() => {
      refetchTimer = undefined;
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
      if (isAboutOwnAccounts(message)) refetchOwnAccounts();
      if (message.type !== 'notification') return scheduleRefetch();
      const { notification } = message;
      if (String(notification.data['type']).startsWith('approval.')) refetchApprovals();
      // The screen of a charge announces its payment itself, so a screen reader must not announce the toast too.
      toast(notificationLine(notification), { unannounced: isOnScreen(notification.data['id']) });
    },
    onOpened() {
      const askedMs = window.callsStartedMs ?? performance.now();
      if (performance.now() - askedMs > MAX_UNWATCHED_MS) scheduleRefetch();
    },
    onReconnected() {
      scheduleRefetch();
      refetchOwnAccounts();
      refetchApprovals();
      refetchNotifications(queryClient);
    },
    onFrozen() {
      // In somebody else's account either that one was frozen, where the session goes on, or the person was.
      if (isOwnAccount(session.getState())) endSession('frozen');
      else void queryClient.invalidateQueries(profileQuery);
    },
  });
  return () => {
    clearTimeout(refetchTimer);
    channel.stop();
  };
}

/** True when the screen of this charge is open, and so has an active query for the charge. */
function isOnScreen(chargeId: unknown): boolean {
  return (
    queryClient
      .getQueryCache()
      .find({ queryKey: ['charge', chargeId] })
      ?.isActive() ?? false
  );
}
