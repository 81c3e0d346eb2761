import { ApiError, BadAnswer } from './api-error.ts';

/** What to show for a failed call: the server's message when there is one, else the given text. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError)
    return error.serverMessage ?? (error.status === 0 ? withoutAnswer(fallback) : fallback);
  if (error instanceof BadAnswer) return error.message;
  return fallback;
}

/** Why something failed that has no sentence of its own: the server's message when there is one, or what came of the call and what holds all the same. */
export function failureText(error: unknown, meanwhile: string): string {
  const said = errorText(error, '');
  if (error instanceof ApiError && error.status === 0)
    return ['O servidor não respondeu.', meanwhile, WHAT_TO_DO].join(' ');
  return said === '' ? `${WITH_ERROR} ${meanwhile}` : said;
}

/** What to show where a form's own text lays the failure on what was typed: a server that broke says nothing of that. */
export function doubtText(error: unknown, text: string, typed: string): string {
  const broke = error instanceof ApiError && error.status >= 500 && error.serverMessage === null;
  return broke
    ? `${sentence(text)} ${WITH_ERROR.slice(0, -1)}: pode não ser ${typed}.`
    : errorText(error, text);
}

const WITH_ERROR = 'O servidor respondeu com um erro.';
const SILENCE = 'Sem resposta do servidor.';
const WHAT_TO_DO = 'Verifique sua conexão e tente de novo.';

/** A call that got no answer at all says so after its own text. */
function withoutAnswer(text: string): string {
  return [sentence(text), SILENCE, WHAT_TO_DO].join(' ');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The id to quote to the operator, if the failed call has one. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
