import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';

/**
 * What a failed attempt says about the request. `unknown`: it may have been done; `not-done`: this attempt did nothing,
 * but an earlier one may have; `refused`: no attempt has succeeded, or the response would have been different.
 */
export type FailureMeaning = 'unknown' | 'not-done' | 'refused';

export function failureMeaningOf(error: unknown): FailureMeaning {
  if (!(error instanceof ApiError) || !error.answered) return 'unknown';
  const { status, code } = error;
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return 'unknown';
  if (status === 501 || notBegun.includes(code ?? '')) return 'not-done';
  if (status >= 500 || status < 400) return 'unknown';
  // The gateway checks authentication before it looks up the key, and a response without a code comes from a proxy in
  // between.
  return code === null || [401, 403, 408, 429].includes(status) ? 'not-done' : 'refused';
}

/** True when a call may have been done or not, and the server says nothing of it. */
export function isInDoubt(error: unknown): boolean {
  const explained = error instanceof ApiError && error.serverMessage !== null;
  return !explained && failureMeaningOf(error) === 'unknown';
}

/** Codes that the gateway sends before any work begins. */
const notBegun = ['OVERLOADED', 'UNAVAILABLE', 'WITHDRAWALS_PAUSED'];

type Intent = { readonly key: string; perhapsDone: boolean };

/** Calls made from this page whose outcome is unknown, by the content that was sent. */
const open = new Map<string, Intent>();

session.subscribe(({ endedBy }) => {
  if (endedBy === 'sign-out') open.clear();
});

/**
 * The Idempotency-Key of a call. A call repeated after an unknown outcome is the same intent and reuses its key, even
 * across screens, so that it is done at most once; after a definite response the next call gets a new key.
 */
export function beginIntent(call: string, params: unknown, body: unknown) {
  const sent = JSON.stringify([session.getState().user?.id, call, params, body]);
  const intent = open.get(sent) ?? { key: newIdempotencyKey(), perhapsDone: false };
  open.set(sent, intent);
  return {
    key: intent.key,
    succeeded: () => void open.delete(sent),
    failed: (error: unknown) => {
      const meaning = failureMeaningOf(error);
      if (meaning === 'unknown') {
        intent.perhapsDone = true;
        open.set(sent, intent);
      } else if (meaning === 'refused' || !intent.perhapsDone) {
        open.delete(sent);
      }
    },
  };
}

/** A key for one intent to move money. `crypto.randomUUID` does not exist on plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
