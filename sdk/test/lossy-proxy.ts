import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { ignoreAbortedRequests } from '../../server/test/ignore-aborted-requests.ts';

/** The simulated fault that a call meets on its way. The default, `pass`, is no fault. */
export type Fate =
  | 'pass'
  /** The call never arrives at the gateway. */
  | 'drop'
  /** The call is executed, and its response is lost. */
  | 'lose-answer'
  /** The call is executed, and its response is cut in half. */
  | 'cut-answer'
  /** The call is executed, and its response never arrives. */
  | 'hang'
  /** A proxy in between responds 503 with Retry-After. */
  | 'busy';

/** A call that arrived at the proxy, whatever its fate. */
export type PassedCall = {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
  readonly fate: Fate;
};

export type LossyProxy = {
  readonly url: string;
  readonly calls: readonly PassedCall[];
  /** Sets the fates of the next calls, in order. */
  setNextFates(...fates: readonly Fate[]): void;
  close(): Promise<void>;
};

/** A proxy in front of a gateway that simulates a bad network. */
export async function lossyProxy(gatewayUrl: string): Promise<LossyProxy> {
  const calls: PassedCall[] = [];
  const fates: Fate[] = [];
  const server = createServer(
    ignoreAbortedRequests(async (incoming, response) => {
      const fate = fates.shift() ?? 'pass';
      const { method = '', url: path = '', headers } = incoming;
      const body = Buffer.concat(await incoming.toArray()).toString();
      const key = headers['idempotency-key'];
      calls.push({ method, path, idempotencyKey: typeof key === 'string' ? key : undefined, body, fate });
      if (fate === 'drop') response.destroy();
      else if (fate === 'busy') response.writeHead(503, { 'retry-after': '0' }).end('busy');
      else await pass(`${gatewayUrl}${path}`, incoming, body, response, fate);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    setNextFates: (...next) => void fates.push(...next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes a call on to the gateway, and its response back as far as the fate allows. */
async function pass(
  url: string,
  incoming: IncomingMessage,
  body: string,
  response: ServerResponse,
  fate: Fate,
): Promise<unknown> {
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
  const method = incoming.method ?? 'GET';
  const gatewayResponse = await request(url, { method, headers, body: body === '' ? null : body });
  const text = await gatewayResponse.body.text();
  if (fate === 'hang') return;
  if (fate === 'lose-answer') return response.destroy();
  const {
    'transfer-encoding': _encoding,
    connection: _keepAlive,
    ...responseHeaders
  } = gatewayResponse.headers;
  response.writeHead(gatewayResponse.statusCode, responseHeaders);
  if (fate !== 'cut-answer') return response.end(text);
  response.write(text.slice(0, text.length / 2));
  return setImmediate(() => response.destroy());
}
