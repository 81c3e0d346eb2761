import { asSentence } from '../format/sentence.ts';
import { ApiError, InvalidResponseError } from './api-error.ts';

/** The message for a failed call: the server's own if it sent one, otherwise the given text. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError)
    return error.serverMessage ?? (error.status === 0 ? noResponseText(fallback) : fallback);
  if (error instanceof InvalidResponseError) return error.message;
  return fallback;
}

/**
 * The message for a failure for which the caller has no text. It is the server's message if there is one. Otherwise it
 * says that the server did not respond or responded with an error, and adds `reassurance`, a sentence on what is safe.
 */
export function failureText(error: unknown, reassurance: string): string {
  const message = errorText(error, '');
  if (error instanceof ApiError && error.status === 0)
    return ['O servidor não respondeu.', reassurance, CHECK_AND_RETRY].join(' ');
  return message === '' ? `${SERVER_ERROR} ${reassurance}` : message;
}

/**
 * The message for a failed form whose own `text` blames the input. A server error says nothing about the input, so the
 * message then adds that the input may be right. `inputName` names the input, with its article: `a senha`.
 */
export function formErrorText(error: unknown, text: string, inputName: string): string {
  const isServerError = error instanceof ApiError && error.status >= 500 && error.serverMessage === null;
  if (!isServerError) return errorText(error, text);
  const serverErrorClause = SERVER_ERROR.slice(0, -1); // without the full stop
  return `${asSentence(text)} ${serverErrorClause}: pode não ser ${inputName}.`;
}

const SERVER_ERROR = 'O servidor respondeu com um erro.';
const NO_RESPONSE = 'Sem resposta do servidor.';
const CHECK_CONNECTION = 'Verifique sua conexão.';
const CHECK_AND_RETRY = 'Verifique sua conexão e tente de novo.';

/** Appends that the server did not respond, and what the user can do. */
function noResponseText(text: string): string {
  // A text that already says to try again is not followed by that advice once more.
  const saysRetry = /tente (de novo|novamente)/i.test(text);
  return [asSentence(text), NO_RESPONSE, saysRetry ? CHECK_CONNECTION : CHECK_AND_RETRY].join(' ');
}

/** The request id to quote to the operator, if the failed call has one. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
