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
import { callRaw } from '../api/client.ts';
import { dataOfLastVisit } from '../api/last-visit.ts';
import { queryClient } from '../api/query.ts';
import { session, useSession } from './session.ts';

/**
 * Whether a withdrawal PIN is set: `idle` before the gateway was asked, `loading` until the gateway responds, then
 * `set` or `not_set`, or `error` when the request failed. A status that is known is kept until a newer response
 * replaces it.
 */
export type PinStatus = 'idle' | 'loading' | 'set' | 'not_set' | 'error';
export type PinState = {
  readonly status: PinStatus;
  /** Until when withdrawals are refused after too many wrong PINs; null when they are not refused. */
  readonly lockedUntil: string | null;
  /** Until when withdrawals are delayed after a change of PIN, e-mail or password; null when they are not delayed. */
  readonly heldUntil: string | null;
};

const idle: PinState = { status: 'idle', lockedUntil: null, heldUntil: null };

export const pin = createStore<PinState>(() => idle);

const lastVisitKey = ['pin'];
queryClient.setQueryDefaults(lastVisitKey, { meta: { isKept: true }, gcTime: Number.POSITIVE_INFINITY });
pin.subscribe((state) => {
  if (isPinKnown(state)) queryClient.setQueryData(lastVisitKey, state);
});

/** The PIN state on the last visit, for a screen that shows what it showed then; undefined if it is not known. */
export function pinOfLastVisit(): PinState | undefined {
  return dataOfLastVisit(lastVisitKey) as PinState | undefined;
}

/** Cancels the check that is in progress. */
let latestCheck: AbortController | null = null;

/** The PIN state is reset when the user signs in or out, or the status of the session changes in another way. */
session.subscribe((current, previous) => {
  if (current.token === previous.token && current.status === previous.status) return;
  latestCheck?.abort();
  latestCheck = null;
  pin.setState(idle, true);
});

/**
 * Asks the gateway for the PIN state, and stores it. A newer check cancels an older one, and a cancelled check changes
 * nothing.
 */
export async function checkPin(): Promise<void> {
  if (session.getState().token === null) return pin.setState(idle, true);
  latestCheck?.abort();
  const controller = new AbortController();
  latestCheck = controller;
  if (!isPinKnown(pin.getState())) pin.setState({ ...idle, status: 'loading' }, true);
  try {
    const response = parseWithdrawalPin(await callRaw(checkWithdrawalPin, { signal: controller.signal }));
    if (latestCheck === controller) pin.setState(stateOf(response), true);
  } catch (error) {
    if (latestCheck === controller && !isCancelled(error)) pin.setState({ ...idle, status: 'error' }, true);
  }
}

export type PinDefinition = { currentPassword: string; newPin: string; confirmPin: string };

/**
 * Sets or changes the PIN, stores the new state, and returns it. Throws the gateway's refusal.
 */
export async function definePin({ currentPassword, newPin, confirmPin }: PinDefinition): Promise<PinState> {
  const { token } = session.getState();
  const response = await callRaw(setWithdrawalPin, {
    body: { current_password: currentPassword, new_pin: newPin, confirm_pin: confirmPin },
  });
  const newState: PinState = { ...stateOf(parseSetPinResponse(response)), status: 'set' };
  // The session changed during the call, so the new state does not belong to the current session.
  if (session.getState().token !== token) return newState;
  latestCheck?.abort();
  latestCheck = null;
  pin.setState(newState, true);
  return newState;
}

/**
 * Another provider of the API may send only the fields of the specification, which do not include the new state. The
 * PIN then counts as set, without a lock or a hold.
 */
function parseSetPinResponse(response: unknown): WithdrawalPinModel {
  try {
    return parseWithdrawalPin(response);
  } catch {
    return { hasPin: true, lockedUntil: null, heldUntil: null };
  }
}

/** True when the gateway has said whether a PIN is set. */
function isPinKnown({ status }: PinState): boolean {
  return status === 'set' || status === 'not_set';
}

function stateOf({ hasPin, lockedUntil, heldUntil }: WithdrawalPinModel): PinState {
  return { status: hasPin ? 'set' : 'not_set', lockedUntil, heldUntil };
}

/**
 * The PIN state, for components. The first component of a session that uses this hook triggers the call to the gateway.
 */
export function usePin(): PinState {
  const state = useStore(pin);
  const signedIn = useSession(({ status }) => status === 'authenticated');
  const { status } = state;
  useEffect(() => {
    if (signedIn && status === 'idle') void checkPin();
  }, [signedIn, status]);
  return state;
}
