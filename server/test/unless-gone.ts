import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A listener for a test's own server whose callers may be killed or give up: it sends no response to a closed connection. */
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
