import { checkWithdrawalPin, setWithdrawalPin } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { readPinState } from './read-pin-state.ts';
import { setPin } from './set-pin.ts';

export function withdrawalRoutes(deps: Deps): Route[] {
  return [
    route(checkWithdrawalPin, ({ caller }) => readPinState(deps, caller.userId)),
    route(setWithdrawalPin, ({ caller, body }) => setPin(deps, caller, body)),
  ];
}
