// The load process: accepts jobs from its parent, one by one or concurrently, and reports the result of each.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { percentilesOf } from '../statistics.ts';
import { type LoadJob, type LoadReport, loadJob, loadStop } from './load-protocol.ts';

type ReportedCounts = Pick<LoadReport, 'sent' | 'byStatus' | 'failures' | 'retryAfterCount'>;
type Tally = { -readonly [K in keyof ReportedCounts]: ReportedCounts[K] } & { readonly latencies: number[] };
type Call = Dispatcher.DispatchOptions;

/** Ends a job, by its id. */
const stops = new Map<number, () => void>();

process.on('message', (message) => {
  const stopped = loadStop.safeParse(message).data;
  if (stopped !== undefined) {
    stops.get(stopped.stop)?.();
    return;
  }
  const job = loadJob.parse(message);
  run(job).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
// follow-parent.ts unreferences the channel to the parent, but here that channel is what keeps the process alive.
process.channel?.ref();
process.send?.('ready');

async function run(job: LoadJob): Promise<LoadReport> {
  const calls = readCalls(job);
  const clients = Array.from(
    { length: job.connections },
    () => new Client(job.origin, { pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 }),
  );
  const tally: Tally = { sent: 0, byStatus: {}, failures: 0, retryAfterCount: 0, latencies: [] };
  const cpu = process.cpuUsage();
  const beganAt = now();
  let endsBy = beganAt + job.seconds * 1000;
  stops.set(job.id, () => {
    endsBy = 0;
    for (const client of clients) void client.destroy();
  });
  await sendInTurn(clients, calls, tally, { endsBy: () => endsBy, pauseMs: job.pauseMs ?? 0 });
  stops.delete(job.id);
  const endedAt = now();
  const { user, system } = process.cpuUsage(cpu);
  await Promise.all(clients.map((client) => client.destroyed || client.close()));
  const { latencies, ...counts } = tally;
  return {
    id: job.id,
    beganAt,
    endedAt,
    ...counts,
    ...(latencies.length > 0 && { latencyMs: percentilesOf(latencies) }),
    processorSeconds: (user + system) / 1e6,
  };
}

/** Milliseconds since 1970, by a clock that only moves forward. */
const now = () => performance.timeOrigin + performance.now();

function readCalls({ file, path }: LoadJob): Call[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      // JSON escapes tabs, so a body contains none.
      const [body = '', key = '', ownPath = path] = line.split('\t').toReversed();
      const headers = { 'content-type': 'application/json', ...(key !== '' && { 'x-api-key': key }) };
      return { path: ownPath, method: 'POST', headers, body };
    });
}

/** Sends the calls in a closed loop: each connection sends its next call after the response to its previous one. */
async function sendInTurn(
  clients: readonly Client[],
  calls: readonly Call[],
  tally: Tally,
  { endsBy, pauseMs }: { readonly endsBy: () => number; readonly pauseMs: number },
) {
  let nextIndex = 0;
  const sendFrom = async (client: Client) => {
    for (;;) {
      const call = calls[nextIndex];
      if (call === undefined || now() >= endsBy()) return;
      nextIndex += 1;
      // A call refused with 503 is sent again while time is left, so that its payment is notified in the end.
      for (;;) {
        const { status, retryAfterSeconds } = await send(client, call, tally);
        const isStopped = endsBy() === 0;
        if (isStopped) return;
        if (status === 0) tally.failures += 1;
        if (pauseMs > 0) await sleep(pauseMs);
        if (status !== 503) break;
        // Up to a quarter is added to Retry-After, so that not all connections send again at the same moment.
        const waitMs = (retryAfterSeconds ?? 1) * 1000 * (1 + Math.random() / 4);
        if (now() + waitMs >= endsBy()) return;
        await sleep(waitMs);
      }
    }
  };
  await Promise.all(clients.map(sendFrom));
}

type Response = { readonly status: number; readonly retryAfterSeconds: number | undefined };

/** Sends one call, and records its outcome in the tally. The returned status is 0 if there was no response. */
function send(client: Client, call: Call, tally: Tally): Promise<Response> {
  tally.sent += 1;
  const startMs = performance.now();
  return new Promise((resolve) => {
    let status = 0;
    let retryAfterSeconds: number | undefined;
    client.dispatch(call, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode;
        if (headers['retry-after'] === undefined) return;
        retryAfterSeconds = Number(headers['retry-after']);
        if (statusCode === 503) tally.retryAfterCount += 1;
      },
      onResponseData() {},
      onResponseEnd() {
        tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1;
        if (status < 300) tally.latencies.push(performance.now() - startMs);
        resolve({ status, retryAfterSeconds });
      },
      onResponseError() {
        resolve({ status: 0, retryAfterSeconds: undefined });
      },
    });
  });
}
