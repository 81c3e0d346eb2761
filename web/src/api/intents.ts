import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';

/**
 * What a failed try means for what was asked. `unknown`: perhaps it was done; `not-done`: this try did nothing, and says
 * nothing of those before it; `refused`: the answer would have been another, had a try before it succeeded.
 */
export type FailureMeaning = 'unknown' | 'not-done' | 'refused';

export function failureMeaningOf(error: unknown): FailureMeaning {
  if (!(error instanceof ApiError) || !error.answered) return 'unknown';
  const { status, code } = error;
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return 'unknown';
  if (status === 501 || notBegun.includes(code ?? '')) return 'not-done';
  if (status >= 500 || status < 400) return 'unknown';
  // Who asks is looked at before what was answered to the key, and an answer without a code comes from in between.
  return code === null || [401, 403, 408, 429].includes(status) ? 'not-done' : 'refused';
}

/** Said before any work was begun. */
const notBegun = ['OVERLOADED', 'UNAVAILABLE', 'WITHDRAWALS_PAUSED'];

type Intent = { readonly key: string; perhapsDone: boolean };

/** Calls of this page whose outcome is unknown, by the content that was sent. */
const open = new Map<string, Intent>();

session.subscribe(({ endedBy }) => {
  if (endedBy === 'sign-out') open.clear();
});

/**
 * The Idempotency-Key of a call. The same call sent again after an unknown outcome is the same intent, so that it is done
 * once at most, whatever was tried and whichever screen was opened in between; after a certain answer it is a new one.
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

/** A key for one intent to move money. `crypto.randomUUID` is absent on plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
