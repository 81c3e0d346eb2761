import { liveState } from '../api/live-state.ts';
import { offersMore } from '../api/provider.ts';
import { toast } from '../ui/index.ts';

/** Says that something of the account changed, where the live channel does not tell it on every open screen anyway. */
export function toastUnlessLive(message: string): void {
  const told = liveState.getState().state === 'open' && offersMore();
  if (!told) toast(message);
}
