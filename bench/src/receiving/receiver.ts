// Two webhook receivers: one never responds, one responds at once. Reports their ports to its parent, and on request the
// number of calls responded to; 'drop' ends hanging calls.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';

const hanging = new Set<Socket>();
const silent = createSocketServer((socket) => {
  hanging.add(socket.on('error', () => {}).resume());
  socket.once('close', () => hanging.delete(socket));
});
let taken = 0;
const prompt = createServer((request, response) => {
  taken += 1;
  request.resume();
  response.end();
});

process.on('message', (message) => {
  if (message === 'drop') for (const socket of hanging) socket.destroy();
  else process.send?.({ taken });
});
process.send?.({ silent: await portOf(silent), prompt: await portOf(prompt) });

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
