import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * A listener for a test's own server. Its callers may be killed or give up: then an error of `respond` is ignored.
 * Other errors are thrown.
 */
export function unlessGone(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): RequestListener {
  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (request.errored === null) throw error;
      response.destroy();
    });
  };
}
