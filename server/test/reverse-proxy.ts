import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ignoreAbortedRequests } from './ignore-aborted-requests.ts';

export type ReverseProxy = { readonly url: string; readonly retried: () => number; stop(): Promise<void> };

const maxRetries = 3;

/**
 * A reverse proxy in front of several processes: distributes calls and sockets round robin, adds the caller's address,
 * and tries the next process if one refuses the connection. Broken calls are retried only where that is safe.
 */
export async function startReverseProxy(targets: readonly string[], port: number): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true });
  const open = new Set<Socket>();
  let turn = 0;
  let retried = 0;
  const targetOf = (place: number) => new URL(targets[place % targets.length] ?? '');

  const server = createServer(
    ignoreAbortedRequests(async (incoming, outgoing) => {
      const body = Buffer.concat(await incoming.toArray());
      forwardCall(incoming, body, outgoing, { place: turn++, tries: 0 });
    }),
  ).on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
    tunnelSocket(incoming, socket, head),
  );

  function forwardCall(
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
    { place, tries }: { place: number; tries: number },
  ): void {
    const { hostname, port: at } = targetOf(place);
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' };
    const call = request({ agent, hostname, port: at, method: incoming.method, path: incoming.url, headers });
    call.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    call.on('error', (error) => {
      const wasNeverSent = 'code' in error && error.code === 'ECONNREFUSED';
      const isRepeatable = incoming.method === 'GET' || incoming.headers['idempotency-key'] !== undefined;
      if (tries === maxRetries || outgoing.headersSent || !(wasNeverSent || isRepeatable)) {
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
        return;
      }
      retried += 1;
      forwardCall(incoming, body, outgoing, { place: place + 1, tries: tries + 1 });
    });
    call.end(body);
  }

  function tunnelSocket(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const { hostname, port: at } = targetOf(turn++);
    const targetSocket = connect(Number(at), hostname, () => {
      const headers = incoming.rawHeaders.flatMap((name, place, all) =>
        place % 2 === 0 ? [`${name}: ${all[place + 1]}`] : [],
      );
      targetSocket.write([`GET ${incoming.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      targetSocket.write(head);
      targetSocket.pipe(socket).pipe(targetSocket);
    });
    for (const [one, other] of [[socket, targetSocket] as const, [targetSocket, socket] as const]) {
      open.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  }

  // The processes decide how long a connection is kept, so the proxy's own limit must not be shorter.
  server.keepAliveTimeout = 120_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    retried: () => retried,
    async stop() {
      for (const socket of open) socket.destroy();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
