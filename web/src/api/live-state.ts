import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/**
 * The state of the live channel, the WebSocket on which the gateway pushes changes: `off` before sign-in,
 * `connecting` at first and between retries, `open`, and `down` once the retries are used up.
 */
export type LiveState = 'off' | 'connecting' | 'open' | 'down';

type Live = {
  state: LiveState;
  /** Reconnects a channel that is down. */
  retry: () => void;
};

export const liveStore = createStore<Live>(() => ({ state: 'off', retry: () => {} }));

export function useLiveState(): LiveState {
  return useStore(liveStore, (live) => live.state);
}

export function retryLive(): void {
  liveStore.getState().retry();
}
