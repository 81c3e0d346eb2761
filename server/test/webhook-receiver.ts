import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ignoreAbortedRequests } from './ignore-aborted-requests.ts';

export type ReceivedWebhook = {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** The highest number of concurrent calls. */
  readonly maxConcurrentCalls: number;
  close(): Promise<void>;
};

/** Starts a merchant's receiver, which stores deliveries and responds as given (with 200 by default). */
export async function startWebhookReceiver(
  respond: (response: ServerResponse, webhook: ReceivedWebhook) => unknown = (response) => response.end('ok'),
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let openCalls = 0;
  let mostAtOnce = 0;
  const server = createServer(
    ignoreAbortedRequests(async (request, response) => {
      openCalls += 1;
      mostAtOnce = Math.max(mostAtOnce, openCalls);
      response.once('close', () => {
        openCalls -= 1;
      });
      const body = Buffer.concat(await request.toArray()).toString('utf8');
      const { headers, url = '' } = request;
      const webhook = { id: String(headers['webhook-id']), path: url, headers, body };
      received.push(webhook);
      await respond(response, webhook);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    get maxConcurrentCalls() {
      return mostAtOnce;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
