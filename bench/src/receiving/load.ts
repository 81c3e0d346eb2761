// The load, in a process of its own: takes jobs from its parent one by one or at once, and reports what came of each.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { type LoadJob, type LoadReport, loadJob } from './load-protocol.ts';
import { percentilesOf } from './percentiles.ts';

type Counted = Pick<LoadReport, 'sent' | 'byStatus' | 'failures' | 'withRetryAfter'>;
type Tally = { -readonly [K in keyof Counted]: Counted[K] } & { readonly latencies: number[] };
type Call = Dispatcher.DispatchOptions;

process.on('message', (message) => {
  const job = loadJob.parse(message);
  run(job).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
// What ends us with our parent lets the channel hold nothing up; here it is what there is to wait for.
process.channel?.ref();
process.send?.('ready');

async function run(job: LoadJob): Promise<LoadReport> {
  const calls = readCalls(job);
  const clients = Array.from(
    { length: job.connections },
    () => new Client(job.origin, { pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 }),
  );
  const tally: Tally = { sent: 0, byStatus: {}, failures: 0, withRetryAfter: 0, latencies: [] };
  const cpu = process.cpuUsage();
  const beganAt = now();
  if (job.perSecond === undefined) await sendInTurn(clients, calls, tally, beganAt + job.seconds * 1000);
  else await sendPaced(clients, calls, tally, { ...job, perSecond: job.perSecond });
  const endedAt = now();
  const { user, system } = process.cpuUsage(cpu);
  await Promise.all(clients.map((client) => client.close()));
  const { latencies, ...counted } = tally;
  return {
    id: job.id,
    beganAt,
    endedAt,
    ...counted,
    ...(latencies.length > 0 && { latencyMs: percentilesOf(latencies) }),
    processorSeconds: (user + system) / 1e6,
  };
}

/** Sooner than Retry-After says: callers that will not wait. */
const refusalPauseMs = 50;

const now = () => performance.timeOrigin + performance.now();

function readCalls({ file, path }: LoadJob): Call[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const key = line.slice(0, tab);
      const headers = { 'content-type': 'application/json', ...(key !== '' && { 'x-api-key': key }) };
      return { path, method: 'POST', headers, body: line.slice(tab + 1) };
    });
}

/** Closed loop: each connection sends its next call when the one before was answered. */
async function sendInTurn(clients: readonly Client[], calls: readonly Call[], tally: Tally, until: number) {
  let next = 0;
  const sender = async (client: Client) => {
    for (;;) {
      const call = calls[next];
      if (call === undefined || now() >= until) return;
      next += 1;
      // Refused for now: the same call again, so that no payment stays untold.
      while ((await send(client, call, tally)) === 503 && now() < until) await pause(refusalPauseMs);
    }
  };
  await Promise.all(clients.map(sender));
}

/** Open loop: calls begin at their time, whether others were answered or not. */
async function sendPaced(
  clients: readonly Client[],
  calls: readonly Call[],
  tally: Tally,
  { seconds, perSecond }: { seconds: number; perSecond: number },
) {
  const under: Promise<number>[] = [];
  const began = performance.now();
  const count = Math.min(calls.length, Math.floor(seconds * perSecond));
  for (let nth = 0; nth < count; nth += 1) {
    const wait = began + (nth * 1000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    const [client, call] = [clients[nth % clients.length], calls[nth]];
    if (client !== undefined && call !== undefined) under.push(send(client, call, tally));
  }
  await Promise.all(under);
}

/** Answers the status, 0 when there was none. */
function send(client: Client, call: Call, tally: Tally): Promise<number> {
  tally.sent += 1;
  const began = performance.now();
  return new Promise((resolve) => {
    let status = 0;
    client.dispatch(call, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode;
        if (statusCode === 503 && headers['retry-after'] !== undefined) tally.withRetryAfter += 1;
      },
      onResponseData() {},
      onResponseEnd() {
        tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1;
        if (status < 300) tally.latencies.push(performance.now() - began);
        resolve(status);
      },
      onResponseError() {
        tally.failures += 1;
        resolve(0);
      },
    });
  });
}
