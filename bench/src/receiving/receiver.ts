// Two receivers of webhooks: one accepts and never answers, one answers at once. Tells its parent their ports.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';

const silent = createSocketServer((socket) => socket.on('error', () => {}).resume());
let taken = 0;
const prompt = createServer((request, response) => {
  taken += 1;
  request.resume();
  response.end();
});
process.on('message', () => process.send?.({ taken }));

process.send?.({ silent: await portOf(silent), prompt: await portOf(prompt) });

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
