import { liveState } from '../api/live-state.ts';
import { offersMore } from '../api/provider.ts';
import { toast } from '../ui/index.ts';

/** Shows a toast for a change to the account, unless the live channel announces it on every open screen anyway. */
export function toastUnlessLive(message: string): void {
  const told = liveState.getState().state === 'open' && offersMore();
  if (!told) toast(message);
}
