import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below those that Linux gives to whoever calls out or listens on any port (32768 and above), so that none of these
// takes one in the seconds until its program listens. Each process of tests begins elsewhere.
const lowest = 12_000;
const highest = 32_000;
let next = randomInt(lowest, highest);

/** A port for a program that is told its own: nobody listens there, and no other asker of this process gets it. */
export async function freePort(): Promise<number> {
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
