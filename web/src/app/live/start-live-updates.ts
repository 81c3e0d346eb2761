import { kycQuery, profileQuery, refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { refetchNotifications } from '../../panel/notifications/notifications-query.ts';
import { isOwnAccount } from '../../session/account.ts';
import { endSession, session } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { openLiveChannel } from './live-channel.ts';
import { applyLiveMessage, isAboutOwnAccounts, notificationLine, readLiveMessage } from './live-messages.ts';
import { type ChangedKind, refetchChanged } from './refetch-changed.ts';
import { refetchOwnAccounts } from './refetch-own-accounts.ts';

/** Lists and sums are refetched at most this often, because payments may arrive by the dozen. */
const MIN_REFETCH_INTERVAL_MS = 1000;

/** What changes together is refetched together. */
const CHANGE_DELAY_MS = 150;

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
  // One act may change several things within a moment.
  let changeTimer: ReturnType<typeof setTimeout> | undefined;
  const changed = new Set<ChangedKind>();
  const scheduleRefetchOf = (kind: ChangedKind) => {
    changed.add(kind);
    changeTimer ??= setTimeout(() => {
      changeTimer = undefined;
      for (const changedKind of changed) refetchChanged(changedKind);
      changed.clear();
      // The notice about it is the person's, and the channel is the account's.
      refetchNotifications(queryClient);
    }, CHANGE_DELAY_MS);
  };
  const channel = openLiveChannel({
    onMessage(text) {
      const message = readLiveMessage(text);
      if (message === undefined) return;
      applyLiveMessage(queryClient, message);
      if (message.type === 'unread') return;
      if (message.type === 'change') return scheduleRefetchOf(message.of);
      if (isAboutOwnAccounts(message)) refetchOwnAccounts();
      if (message.type !== 'notification') return scheduleRefetch();
      const { notification } = message;
      if (String(notification.data['type']).startsWith('approval.')) refetchChanged('approvals');
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
      for (const kind of ['approvals', 'members', 'destinations', 'subscriptions'] as const)
        refetchChanged(kind);
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
    clearTimeout(changeTimer);
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
