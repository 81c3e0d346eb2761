import { asSentence } from '../format/sentence.ts';
import { ApiError, BadAnswer } from './api-error.ts';

/** The message for a failed call: the server's own if it sent one, otherwise the given text. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError)
    return error.serverMessage ?? (error.status === 0 ? withoutAnswer(fallback) : fallback);
  if (error instanceof BadAnswer) return error.message;
  return fallback;
}

/**
 * The message for a failure without its own text: the server's message, or else what happened to the call and what
 * still holds.
 */
export function failureText(error: unknown, meanwhile: string): string {
  const said = errorText(error, '');
  if (error instanceof ApiError && error.status === 0)
    return ['O servidor não respondeu.', meanwhile, WHAT_TO_DO].join(' ');
  return said === '' ? `${WITH_ERROR} ${meanwhile}` : said;
}

/** The message for a form whose own text blames the input: a server error says nothing about what was typed. */
export function doubtText(error: unknown, text: string, typed: string): string {
  const broke = error instanceof ApiError && error.status >= 500 && error.serverMessage === null;
  return broke
    ? `${asSentence(text)} ${WITH_ERROR.slice(0, -1)}: pode não ser ${typed}.`
    : errorText(error, text);
}

const WITH_ERROR = 'O servidor respondeu com um erro.';
const SILENCE = 'Sem resposta do servidor.';
const CHECK = 'Verifique sua conexão.';
const WHAT_TO_DO = 'Verifique sua conexão e tente de novo.';

/** Appends to the text that the server did not respond, and what to do. */
function withoutAnswer(text: string): string {
  // A text that already says to try again is not followed by the same advice.
  const advised = /tente (de novo|novamente)/i.test(text);
  return [asSentence(text), SILENCE, advised ? CHECK : WHAT_TO_DO].join(' ');
}

/** The request id to quote to the operator, if the failed call has one. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
