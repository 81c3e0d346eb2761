import { type ErrorCode, errors } from '@jangada/contract';
import { type Items, kept, otherwise } from './item.ts';

/** What failures lead to. Their texts stand in texts.ts. */
export const failures: Items = {
  unauthorised: otherwise(
    '401 ends the session',
    kept(
      'a 401 clears token and user and leads to /login',
      'sessionRefused, watchSession',
      'a 401 ends the session at most once per second, and not for the token of an earlier session',
      'a session that ended elsewhere leads to the sign-in at the next call, and from there back',
    ),
  ),
  'unauthorised-once': kept(
    'at most once a second',
    'REFUSALS_APART_MS',
    'a 401 ends the session at most once per second, and not for the token of an earlier session',
  ),
  'unauthorised-at-login': kept(
    'but not on /login itself',
    'watchSession',
    'whoever is not signed in is asked to, and then stands where they wanted to go',
  ),
  'cancelled-ignored': kept(
    'calls that were cancelled are no failures',
    'isCancelled',
    'a cancelled call is told apart from a failed one',
    'signing out forgets at once and cancels a profile that is still loading',
  ),
  'profile-at-start': kept(
    'a profile that cannot be loaded at the start signs out',
    'startSession',
    'a profile that cannot be loaded at the start signs out',
  ),
  'pin-check-failed': kept(
    'a check of the PIN that failed is an error, unless it was cancelled',
    'checkPin',
    'a check that is cancelled leaves loading as loading, never error',
    'a PIN that could not be checked is told of, and a refresh asks again',
  ),
  'registration-failed': kept(
    'a failed registration ends the loading, forgets the PIN’s status and is passed on',
    'signUp',
    'a registration signs in, and one without token or user is refused with its sentence',
    'a failure opens its dialog; behind it everything typed is still there',
  ),
  'server-message-first': otherwise(
    "a failed call shows the server's message, or its own text",
    kept(
      'the server’s message comes first, a text of our own without one',
      'errorText',
      "the server's sentence comes first, and without one the given text",
      'a call without any answer says so after its own text, and what to do',
    ),
  ),
  'blocked-notifications': kept(
    'where the browser blocks notifications its settings are named',
    'PushSettings',
    'blocked by the browser, its settings are named; without support, that is said',
  ),
  'error-shape': otherwise(
    'errors are `{success: false, error: {code, message}}`',
    kept(
      'every refusal of the API has one shape',
      'errorEnvelope',
      'whose body does not fit is refused with every field, the first one speaking',
      'a charge of one merchant is nobody else’s',
    ),
  ),
};

type Refused = {
  says: string;
  status: number;
  code: ErrorCode;
  by: string;
  departs?: string;
};

/** HTTP codes and refusals that the public API documents, and the code of ours that each is. */
export const refusals: Readonly<Record<string, Refused>> = {
  'http-400': {
    says: 'invalid request body',
    status: 400,
    code: 'INVALID_BODY',
    by: 'whose body does not fit is refused with every field, the first one speaking',
  },
  'http-401': {
    says: 'unauthorised: invalid key',
    status: 401,
    code: 'UNAUTHENTICATED',
    by: 'is nobody’s when it is unknown, changed or hostile',
  },
  'http-404': {
    says: 'payment not found',
    status: 404,
    code: 'PAYMENT_NOT_FOUND',
    by: 'a charge of one merchant is nobody else’s',
  },
  'http-500': {
    says: 'internal error',
    status: 500,
    code: 'INTERNAL',
    by: 'that breaks tells its caller nothing of the reason',
  },
  'refused-callback': {
    says: 'invalid callback URL',
    status: 400,
    code: 'INVALID_CALLBACK_URL',
    by: 'is refused with the codes that its documentation names',
  },
  'refused-too-small': {
    says: 'a withdrawal too small after fees',
    status: 400,
    code: 'WITHDRAWAL_TOO_SMALL',
    by: 'what the fee leaves nothing of is too small',
  },
  'refused-balance': {
    says: 'insufficient balance',
    status: 400,
    code: 'INSUFFICIENT_BALANCE',
    by: 'is refused with the codes that its documentation names',
  },
  'refused-pending': {
    says: 'another withdrawal is pending: wait, or talk to the support',
    status: 409,
    code: 'WITHDRAWAL_PENDING',
    by: 'is one at a time',
    departs: 'withdrawals answer 400, 409, 500',
  },
  'refused-payment': {
    says: 'error in processing a payment',
    status: 500,
    code: 'PAYMENT_PROCESSING_ERROR',
    by: 'a bank that is down is told of, the amount stays, and trying again makes one charge',
  },
  'refused-withdrawal': {
    says: 'a withdrawal that was not processed',
    status: 500,
    code: 'WITHDRAWAL_PROCESSING_ERROR',
    by: 'is refused with the codes that its documentation names',
  },
};

export const statusOf = (code: ErrorCode): number => errors[code].status;
