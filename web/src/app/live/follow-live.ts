import { moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/toast.tsx';
import { openLiveChannel } from './live-channel.ts';
import { applyLiveMessage, readLiveMessage } from './live-messages.ts';

/** Payments may come by the dozen; lists and sums are loaded anew at most this often. */
const RELOAD_APART_MS = 1000;

/** Keeps the open screens in step with the gateway. Answers how to stop. */
export function followLive(): () => void {
  let reload: ReturnType<typeof setTimeout> | undefined;
  const reloadSoon = () => {
    reload ??= setTimeout(() => {
      reload = undefined;
      void moneyChanged();
    }, RELOAD_APART_MS);
  };
  const channel = openLiveChannel({
    onMessage(text) {
      const message = readLiveMessage(text);
      if (message === undefined) return;
      applyLiveMessage(queryClient, message);
      if (message.type === 'notification')
        toast(`${message.notification.title} · ${message.notification.body}`);
      else reloadSoon();
    },
    onRegained: reloadSoon,
  });
  return () => {
    clearTimeout(reload);
    channel.stop();
  };
}
