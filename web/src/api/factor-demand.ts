import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/** True once the gateway has refused this session a staff call because the role requires a second factor. */
const demand = createStore<{ refused: boolean }>(() => ({ refused: false }));

session.subscribe((now, before) => {
  if (now.token !== before.token) demand.setState({ refused: false });
});

export function noteFactorDemand(): void {
  demand.setState({ refused: true });
}

/** Clears the demand once the second factor is given: staff calls are accepted again. */
export function forgetFactorDemand(): void {
  demand.setState({ refused: false });
}

export function useFactorDemand(): boolean {
  return useStore(demand, ({ refused }) => refused);
}
