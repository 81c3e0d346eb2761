// ENDPOINTS webhook receivers, each on its own port, like merchants with their own servers. They implement just enough
// HTTP to be cheap, and record when the first byte of a call arrives.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { behaviourOf, type ReceiverBehaviour } from './behaviour.ts';
import { monotonicMs } from './monotonic.ts';
import { type ReceivedCall, receiversOrder } from './receivers-protocol.ts';

const endOfHead = '\r\n\r\n';
const answers = {
  well: { status: 204, text: 'HTTP/1.1 204 No Content\r\n\r\n' },
  failing: { status: 500, text: 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n' },
  hanging: undefined,
} satisfies Record<ReceiverBehaviour, { status: number; text: string } | undefined>;

const calls: ReceivedCall[] = [];
let troubled = false;
let taken = 0;

process.on('message', (message) => {
  const asked = receiversOrder.parse(message);
  if (asked.order === 'trouble') troubled = true;
  if (asked.order === 'write')
    writeFileSync(asked.file, calls.map((call) => JSON.stringify(call)).join('\n'));
  process.send?.({ taken });
});
// Following the parent unreferences the channel, but here the channel is what keeps the process alive.
process.channel?.ref();
process.send?.({
  ports: await Promise.all(
    Array.from({ length: Number(process.env['ENDPOINTS']) }, (_, endpoint) => listen(endpoint)),
  ),
});

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
    const end = endOfCall(received);
    if (end === undefined || received.length < end) return;
    const event = /^webhook-id: *(\S+)/im.exec(received)?.[1] ?? '';
    // The sender waits for the response before its next call on the same connection.
    received = received.slice(end);
    const answer = answers[troubled ? behaviourOf(endpoint) : 'well'];
    calls.push({ endpoint, event, atMs: firstByteMs, status: answer?.status ?? null });
    if (answer === undefined) return;
    if (answer.status === 204) taken += 1;
    socket.write(answer.text);
  });
}

/** The end of the call at the start of the text; undefined if its head is incomplete. */
function endOfCall(text: string): number | undefined {
  const head = text.indexOf(endOfHead);
  if (head < 0) return undefined;
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? '0';
  return head + endOfHead.length + Number(length);
}
