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
 * Whether a withdrawal PIN is set: `idle` without a token, `loading` until the gateway responds, then `set` or
 * `not_set`, or `error` when the query failed. Fetched once per session; a known value is kept until a newer one
 * replaces it.
 */
export type PinStatus = 'idle' | 'loading' | 'set' | 'not_set' | 'error';
export type PinState = {
  readonly status: PinStatus;
  /** When the refusal of withdrawals after too many wrong PINs ends; null when there is none. */
  readonly lockedUntil: string | null;
  /** When the delay of withdrawals after a change of PIN, e-mail or password ends; null when there is none. */
  readonly heldUntil: string | null;
};

const idle: PinState = { status: 'idle', lockedUntil: null, heldUntil: null };

export const pin = createStore<PinState>(() => idle);

let request: AbortController | null = null;

/** Signing in, signing out and any other change of the session's status reset the PIN state. */
session.subscribe((current, previous) => {
  if (current.token === previous.token && current.status === previous.status) return;
  request?.abort();
  request = null;
  pin.setState(idle, true);
});

/** Asks the gateway for the state. A request that was cancelled, also by a newer one, changes nothing. */
export async function checkPin(): Promise<void> {
  if (session.getState().token === null) return pin.setState(idle, true);
  request?.abort();
  const controller = new AbortController();
  request = controller;
  if (!isKnown(pin.getState().status)) pin.setState({ ...idle, status: 'loading' }, true);
  try {
    const response = parseWithdrawalPin(await send(checkWithdrawalPin, { signal: controller.signal }));
    if (request === controller) pin.setState(stateOf(response), true);
  } catch (error) {
    if (request === controller && !isCancelled(error)) pin.setState({ ...idle, status: 'error' }, true);
  }
}

export type PinDefinition = { currentPassword: string; newPin: string; confirmPin: string };

/**
 * Sets or changes the PIN: `not_set` becomes `set`. Returns the new state; throws the gateway's refusal.
 */
export async function definePin({ currentPassword, newPin, confirmPin }: PinDefinition): Promise<PinState> {
  const { token } = session.getState();
  const response = await send(setWithdrawalPin, {
    body: { current_password: currentPassword, new_pin: newPin, confirm_pin: confirmPin },
  });
  const newState: PinState = { ...stateOf(parseSetPinResponse(response)), status: 'set' };
  if (session.getState().token !== token) return newState;
  request?.abort();
  request = null;
  pin.setState(newState, true);
  return newState;
}

/** Another provider of the API may send only the specification's fields, without the state after a PIN is set. */
function parseSetPinResponse(response: unknown): WithdrawalPinModel {
  try {
    return parseWithdrawalPin(response);
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

/** The PIN state for components. The first component in a session that uses it triggers the request. */
export function usePin(): PinState {
  const state = useStore(pin);
  const signedIn = useSession(({ status }) => status === 'authenticated');
  const { status } = state;
  useEffect(() => {
    if (signedIn && status === 'idle') void checkPin();
  }, [signedIn, status]);
  return state;
}
