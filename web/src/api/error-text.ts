import { ApiError, BadAnswer } from './api-error.ts';

/** What to show for a failed call: the server's message when there is one, else the given text. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError)
    return error.serverMessage ?? (error.status === 0 ? withoutAnswer(fallback) : fallback);
  if (error instanceof BadAnswer) return error.message;
  return fallback;
}

const SILENCE = 'Sem resposta do servidor.';
const WHAT_TO_DO = 'Verifique sua conexão e tente de novo.';

/** A call that got no answer at all says so after its own text, which may have said it already. */
function withoutAnswer(text: string): string {
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  return [sentence, ...(/servidor não respondeu/.test(text) ? [] : [SILENCE]), WHAT_TO_DO].join(' ');
}

/** The id to quote to the operator, if the failed call has one. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
