import { liveStore } from '../api/live-state.ts';
import { supports } from '../api/provider.ts';
import { toast } from '../ui/index.ts';

/**
 * Shows a toast for a change to the account, unless the live channel (a WebSocket) is open: the gateway then announces
 * the change on every screen.
 */
export function toastUnlessLive(message: string): void {
  const isAnnounced = liveStore.getState().state === 'open' && supports('liveAccountChanges');
  if (!isAnnounced) toast(message);
}
