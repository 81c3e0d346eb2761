import {
  checkWithdrawalPin,
  parseWithdrawalPin,
  setWithdrawalPin,
  type WithdrawalPinModel,
} from '@jangada/contract';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isCancelled } from '../api/api-error.ts';
import { send } from '../api/client.ts';
import { session, useSession } from './session.ts';

/**
 * Whether a withdrawal PIN is set: idle when there is no token, loading until the gateway has said it, then set or
 * not_set, or error when it could not be asked. Asked once a session; what is known stays until it is known better.
 */
export type PinStatus = 'idle' | 'loading' | 'set' | 'not_set' | 'error';
export type PinState = {
  readonly status: PinStatus;
  /** Until when too many wrong PINs, or a change that guards withdrawals, stop them; null when nothing does. */
  readonly lockedUntil: string | null;
  readonly heldUntil: string | null;
};

const idle: PinState = { status: 'idle', lockedUntil: null, heldUntil: null };

export const pin = createStore<PinState>(() => idle);

let request: AbortController | null = null;

/** Signing in, signing out and every other change of the state of signing in begin anew. */
session.subscribe((now, before) => {
  if (now.token === before.token && now.status === before.status) return;
  request?.abort();
  request = null;
  pin.setState(idle, true);
});

/** Asks the gateway. A request that is cancelled, by a newer one too, changes nothing. */
export async function checkPin(): Promise<void> {
  if (session.getState().token === null) return pin.setState(idle, true);
  request?.abort();
  const own = new AbortController();
  request = own;
  if (!isKnown(pin.getState().status)) pin.setState({ ...idle, status: 'loading' }, true);
  try {
    const answer = parseWithdrawalPin(await send(checkWithdrawalPin, { signal: own.signal }));
    if (request === own) pin.setState(stateOf(answer), true);
  } catch (error) {
    if (request === own && !isCancelled(error)) pin.setState({ ...idle, status: 'error' }, true);
  }
}

export type PinDefinition = { currentPassword: string; newPin: string; confirmPin: string };

/** Sets or changes the PIN: not_set becomes set. Answers what stops withdrawals now; throws what the gateway refuses. */
export async function definePin({ currentPassword, newPin, confirmPin }: PinDefinition): Promise<PinState> {
  const { token } = session.getState();
  const answer = await send(setWithdrawalPin, {
    body: { current_password: currentPassword, new_pin: newPin, confirm_pin: confirmPin },
  });
  const defined: PinState = { ...stateOf(definedFrom(answer)), status: 'set' };
  if (session.getState().token !== token) return defined;
  request?.abort();
  request = null;
  pin.setState(defined, true);
  return defined;
}

/** A provider that keeps to the specification tells of no holds when a PIN was set. */
function definedFrom(answer: unknown): WithdrawalPinModel {
  try {
    return parseWithdrawalPin(answer);
  } catch {
    return { hasPin: true, lockedUntil: null, heldUntil: null };
  }
}

function isKnown(status: PinStatus): boolean {
  return status === 'set' || status === 'not_set';
}

function stateOf({ hasPin, lockedUntil, heldUntil }: WithdrawalPinModel): PinState {
  return { status: hasPin ? 'set' : 'not_set', lockedUntil, heldUntil };
}

/** The PIN as a screen sees it. The first screen of a session that wants to know has it asked for. */
export function usePin(): PinState {
  const state = useStore(pin);
  const signedIn = useSession(({ status }) => status === 'authenticated');
  const { status } = state;
  useEffect(() => {
    if (signedIn && status === 'idle') void checkPin();
  }, [signedIn, status]);
  return state;
}
