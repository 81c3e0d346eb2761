import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ephemeral ports of Linux (32768 and above), so that no outgoing connection takes the port before its
// program listens. Each test process starts elsewhere in the range.
const lowest = 12_000;
const highest = 32_000;
let next = randomInt(lowest, highest);

/** Returns a free port for a program that cannot choose one itself. No other caller in this process gets this port. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port < highest ? port + 1 : lowest;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => resolve(true));
  if (!(await promise)) return false;
  server.close();
  await once(server, 'close');
  return true;
}
