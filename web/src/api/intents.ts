import { accountIdOf } from '../session/account.ts';
import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';

/**
 * What a failed attempt shows about its request, which may have had earlier attempts under the same Idempotency-Key:
 * - `unknown`: this attempt may have been carried out.
 * - `not-done`: this attempt did nothing, but an earlier one may have been carried out.
 * - `refused`: no attempt was carried out. After an earlier success, the gateway would have repeated its response.
 */
export type FailureOutcome = 'unknown' | 'not-done' | 'refused';

export function failureOutcomeOf(error: unknown): FailureOutcome {
  if (!(error instanceof ApiError) || !error.hasResponse) return 'unknown';
  const { status, code } = error;
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return 'unknown';
  if (status === 501 || codesBeforeWork.includes(code ?? '')) return 'not-done';
  if (status >= 500 || status < 400) return 'unknown';
  // The gateway checks authentication and rate limits before it looks up the Idempotency-Key, so these refusals prove
  // nothing about earlier attempts. Neither does a response without a code, which comes from a proxy in between.
  return code === null || [401, 403, 408, 429].includes(status) ? 'not-done' : 'refused';
}

/** True when it is unknown whether a call was carried out, and the server sent no message about it. */
export function isInDoubt(error: unknown): boolean {
  const hasServerMessage = error instanceof ApiError && error.serverMessage !== null;
  return !hasServerMessage && failureOutcomeOf(error) === 'unknown';
}

/** The error codes that the gateway sends before any work begins. */
const codesBeforeWork = ['OVERLOADED', 'WITHDRAWALS_PAUSED'];

/** A request that the user wants carried out once, with the Idempotency-Key that all its attempts share. */
type Intent = { readonly key: string; mayBeDone: boolean };

/** The intents of this page that may not be finished, by the JSON of their account, call and input. */
const openIntents = new Map<string, Intent>();

session.subscribe(({ endedBy }) => {
  if (endedBy === 'sign-out') openIntents.clear();
});

/**
 * Begins or resumes an intent, and returns its Idempotency-Key. A call that is repeated after an unknown outcome has
 * the same intent and reuses its key, even on another screen, so that the call is carried out at most once. After a
 * definite response, the next call gets a new key.
 */
export function beginIntent(call: string, params: unknown, body: unknown) {
  const intentId = JSON.stringify([accountIdOf(session.getState()), call, params, body]);
  const intent = openIntents.get(intentId) ?? { key: newIdempotencyKey(), mayBeDone: false };
  openIntents.set(intentId, intent);
  return {
    key: intent.key,
    succeeded: () => void openIntents.delete(intentId),
    failed: (error: unknown) => {
      const outcome = failureOutcomeOf(error);
      if (outcome === 'unknown') {
        intent.mayBeDone = true;
        openIntents.set(intentId, intent);
      } else if (outcome === 'refused' || !intent.mayBeDone) {
        openIntents.delete(intentId);
      }
    },
  };
}

/** A random key of 32 hexadecimal digits. Not from `crypto.randomUUID`, which does not exist on plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
