import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/**
 * The live channel: `off` before sign-in, `connecting` at first and while it tries again, `open`, and `down` once the
 * tries are used up: then open charges are polled.
 */
export type LiveState = 'off' | 'connecting' | 'open' | 'down';

type Live = {
  state: LiveState;
  /** Tries anew a channel that is down. */
  retry: () => void;
};

export const liveState = createStore<Live>(() => ({ state: 'off', retry: () => {} }));

export function useLiveState(): LiveState {
  return useStore(liveState, (live) => live.state);
}

export function retryLive(): void {
  liveState.getState().retry();
}
