// A process with as many webhook receivers as the variable ENDPOINTS says, each on its own port, like
// merchants with their own servers. To be cheap, the receivers implement only the HTTP that they need. They record
// when the first byte of a call arrives.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  behaviourOf,
  monotonicMs,
  type ReceivedCall,
  type ReceiverBehaviour,
  receiversCommand,
} from './receivers-protocol.ts';

const endOfHead = '\r\n\r\n';
const responses = {
  healthy: { status: 204, text: 'HTTP/1.1 204 No Content\r\n\r\n' },
  failing: { status: 500, text: 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n' },
  hanging: undefined,
} satisfies Record<ReceiverBehaviour, { status: number; text: string } | undefined>;

const calls: ReceivedCall[] = [];
let areFailuresStarted = false;
let acceptedCount = 0;

process.on('message', (message) => {
  const command = receiversCommand.parse(message);
  if (command.command === 'start failures') areFailuresStarted = true;
  if (command.command === 'write')
    writeFileSync(command.file, calls.map((call) => JSON.stringify(call)).join('\n'));
  process.send?.({ accepted: acceptedCount });
});
// follow-parent.ts unreferences the channel to the parent, but here that channel is what keeps the process alive.
process.channel?.ref();
process.send?.({
  ports: await Promise.all(
    Array.from({ length: Number(process.env['ENDPOINTS']) }, (_, endpoint) => listen(endpoint)),
  ),
});

/** Starts the receiver of an endpoint on a free port, which it returns. */
async function listen(endpoint: number): Promise<number> {
  const server = createServer((socket) => receive(endpoint, socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function receive(endpoint: number, socket: Socket): void {
  let received = '';
  let firstByteMs = 0;
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('data', (chunk: string) => {
    if (received === '') firstByteMs = monotonicMs();
    received += chunk;
    const callLength = callLengthOf(received);
    if (callLength === undefined || received.length < callLength) return;
    const event = /^webhook-id: *(\S+)/im.exec(received)?.[1] ?? '';
    // The sender waits for the response before its next call on the same connection.
    received = received.slice(callLength);
    const response = responses[areFailuresStarted ? behaviourOf(endpoint) : 'healthy'];
    calls.push({ endpoint, event, atMs: firstByteMs, status: response?.status ?? null });
    if (response === undefined) return;
    if (response.status === 204) acceptedCount += 1;
    socket.write(response.text);
  });
}

/** Returns the length of the call with which a text begins; undefined if the head of the call is incomplete. */
function callLengthOf(text: string): number | undefined {
  const headLength = text.indexOf(endOfHead);
  if (headLength < 0) return undefined;
  const bodyLength = /^content-length: *(\d+)/im.exec(text.slice(0, headLength))?.[1] ?? '0';
  return headLength + endOfHead.length + Number(bodyLength);
}
