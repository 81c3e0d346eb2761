import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A listener for a test's own server, where callers are killed or give up: whoever left in the midst of a call is answered nothing. */
export function unlessGone(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): RequestListener {
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (request.errored === null) throw error;
      response.destroy();
    });
  };
}
