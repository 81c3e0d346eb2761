import { ApiError, BadAnswer } from './api-error.ts';

/** What to show for a failed call: the server's message when there is one, else the given text. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.serverMessage ?? fallback;
  if (error instanceof BadAnswer) return error.message;
  return fallback;
}

/** The id to quote to the operator, if the failed call has one. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
