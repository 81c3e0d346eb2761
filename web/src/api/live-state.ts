import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/**
 * The live channel: `off` before sign-in, `connecting` at first and while it tries again, `open`, and `down` once the
 * tries are used up: then open charges are polled.
 */
export type LiveState = 'off' | 'connecting' | 'open' | 'down';

export const liveState = createStore<{ state: LiveState }>(() => ({ state: 'off' }));

export function useLiveState(): LiveState {
  return useStore(liveState, (live) => live.state);
}
