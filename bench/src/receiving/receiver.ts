// A process with two webhook receivers: `silent` never responds, `prompt` responds immediately. The process first
// reports the ports of both to its parent. The message 'drop' closes the connections to `silent`; to any other message
// the process replies with the number of calls that `prompt` accepted.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';

const hangingSockets = new Set<Socket>();
const silent = createSocketServer((socket) => {
  hangingSockets.add(socket.on('error', () => {}).resume());
  socket.once('close', () => hangingSockets.delete(socket));
});
let acceptedCount = 0;
const prompt = createServer((request, response) => {
  acceptedCount += 1;
  request.resume();
  response.end();
});

process.on('message', (message) => {
  if (message === 'drop') for (const socket of hangingSockets) socket.destroy();
  else process.send?.({ accepted: acceptedCount });
});
process.send?.({ silent: await listen(silent), prompt: await listen(prompt) });

/** Starts a server on a free port, which it returns. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
