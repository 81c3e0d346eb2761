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
  /**
   * When a withdrawal block caused by wrong PINs, or by a change that guards withdrawals, ends; null when there is
   * none.
   */
  readonly lockedUntil: string | null;
  readonly heldUntil: string | null;
};

const idle: PinState = { status: 'idle', lockedUntil: null, heldUntil: null };

export const pin = createStore<PinState>(() => idle);

let request: AbortController | null = null;

/** Signing in, signing out and any other change of the session's status reset the PIN state. */
session.subscribe((now, before) => {
  if (now.token === before.token && now.status === before.status) return;
  request?.abort();
  request = null;
  pin.setState(idle, true);
});

/** Queries the gateway. A cancelled request, even one replaced by a newer one, changes nothing. */
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

/**
 * Sets or changes the PIN: `not_set` becomes `set`. Returns what blocks withdrawals now; throws the gateway's refusal.
 */
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

/** A provider that keeps to the specification reports no holds after a PIN is set. */
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

/** The PIN state for components. The first one in a session to use it triggers the query. */
export function usePin(): PinState {
  const state = useStore(pin);
  const signedIn = useSession(({ status }) => status === 'authenticated');
  const { status } = state;
  useEffect(() => {
    if (signedIn && status === 'idle') void checkPin();
  }, [signedIn, status]);
  return state;
}
