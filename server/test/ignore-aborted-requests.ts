import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Makes a listener for a server of a test. Tests kill some callers, and others give up, so an error of `respond` is
 * ignored if the caller is gone. Other errors are thrown.
 */
export function ignoreAbortedRequests(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): RequestListener {
  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (request.errored === null) throw error;
      response.destroy();
    });
  };
}
