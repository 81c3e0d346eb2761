import { liveState } from '../api/live-state.ts';
import { toast } from '../ui/index.ts';

/** Says that something of the account changed, where the live channel does not tell it on every open screen anyway. */
export function toastUnlessLive(message: string): void {
  if (liveState.getState().state !== 'open') toast(message);
}
