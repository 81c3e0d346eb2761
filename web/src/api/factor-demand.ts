import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/** Whether the gateway refused this session a call of the staff, since its role may not go without a second factor. */
const demand = createStore<{ refused: boolean }>(() => ({ refused: false }));

session.subscribe((now, before) => {
  if (now.token !== before.token) demand.setState({ refused: false });
});

export function noteFactorDemand(): void {
  demand.setState({ refused: true });
}

/** The factor was given in this session: the calls of the staff are answered again. */
export function forgetFactorDemand(): void {
  demand.setState({ refused: false });
}

export function useFactorDemand(): boolean {
  return useStore(demand, ({ refused }) => refused);
}
