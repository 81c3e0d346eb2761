import pg from 'pg';
import type { Logger } from 'pino';
import { invariant } from '../invariant.ts';

/** Receives the announcements of other processes, on a connection of its own that is reopened whenever it breaks. */
export type Listener = {
  /** Listens on a channel. Only before the start. */
  on(channel: string, hear: (payload: string) => void): void;
  /** Called after a time in which nothing could be received. */
  onGap(tell: () => void): void;
  /** Fulfilled as soon as everything announced is heard. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ListenerOptions = { readonly url: string; readonly log: Logger };

const heartbeatMs = 10_000;
const pausesMs = { first: 100, longest: 5000 };

export function createListener({ url, log }: ListenerOptions): Listener {
  const hearers: { channel: string; hear: (payload: string) => void }[] = [];
  const gapTellers: (() => void)[] = [];
  const firstHeard = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let heardBefore = false;
  let failures = 0;

  async function hearUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await hearUntilBroken().catch((error: unknown) =>
        log.warn({ err: error }, 'the LISTEN connection was lost'),
      );
      await pause(Math.min(pausesMs.longest, pausesMs.first * 2 ** failures), stopping.signal);
      failures += 1;
    }
  }

  async function hearUntilBroken(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'jangada listener',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
    });
    const broken = new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('end', resolve);
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // Waited for below; until then a break must not count as unhandled.
    broken.catch(() => {});
    client.on('notification', ({ channel, payload = '' }) => dispatch(channel, payload));
    try {
      await client.connect();
      for (const channel of new Set(hearers.map((one) => one.channel)))
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      heard();
      await Promise.race([broken, beat(client, stopping.signal)]);
    } finally {
      // Not awaited: with a machine that is gone it would take minutes.
      client.end().catch(() => {});
    }
  }

  function heard(): void {
    failures = 0;
    if (heardBefore) for (const tell of gapTellers) tell();
    heardBefore = true;
    firstHeard.resolve();
  }

  function dispatch(channel: string, payload: string): void {
    for (const hearer of hearers) {
      if (hearer.channel !== channel) continue;
      try {
        hearer.hear(payload);
      } catch (error) {
        log.error({ err: error, channel }, 'a NOTIFY payload could not be parsed');
      }
    }
  }

  return {
    on(channel, hear) {
      invariant(running === undefined, 'a channel was added to a listener that runs');
      hearers.push({ channel, hear });
    },
    onGap: (tell) => void gapTellers.push(tell),
    start() {
      running ??= hearUntilStopped();
      return firstHeard.promise;
    },
    async stop() {
      stopping.abort();
      firstHeard.resolve();
      await running;
    },
  };
}

/** Rejects when the database stops answering, which a silent connection would not reveal. */
async function beat(client: pg.Client, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await pause(heartbeatMs, stopped);
    if (!stopped.aborted) await client.query('select 1');
  }
}

function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      ended.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    ended.addEventListener('abort', finish);
  });
}
