import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseClient } from '../db/client.ts';
import { invariant } from '../invariant.ts';

/**
 * Receives the NOTIFY messages of other processes through PostgreSQL's LISTEN, on a separate connection that is
 * reopened whenever it breaks.
 */
export type Listener = {
  /** Registers a handler for a channel. May be called only before the start. */
  on(channel: string, handlePayload: (payload: string) => void): void;
  /** Registers a handler that is called when a broken connection works again, because messages may have been missed. */
  onGap(handleGap: () => void): void;
  /** Resolves once the listener is connected and receives all messages from then on, or has been stopped. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ListenerOptions = { readonly url: string; readonly log: Logger };

// With these times, a connection that has gone silent is replaced within 15 seconds, and when the database server comes
// back after an outage, the listener reconnects within 15 seconds.
const heartbeatMs = 4000;
const timeoutMs = 4000;
const retryPauseMs = { first: 100, longest: 2000 };

export function createListener({ url, log }: ListenerOptions): Listener {
  const subscriptions: { channel: string; handlePayload: (payload: string) => void }[] = [];
  const gapHandlers: (() => void)[] = [];
  const firstConnection = Promise.withResolvers<void>();
  const stopController = new AbortController();
  let running: Promise<void> | undefined;
  let wasConnected = false;
  let failures = 0;

  async function listenUntilStopped(): Promise<void> {
    while (!stopController.signal.aborted) {
      await listenUntilBroken().catch((error: unknown) =>
        log.warn({ err: error }, 'the LISTEN connection was lost'),
      );
      await pause(Math.min(retryPauseMs.longest, retryPauseMs.first * 2 ** failures), stopController.signal);
      failures += 1;
    }
  }

  async function listenUntilBroken(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: url,
      session: {},
      application_name: 'jangada listener',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    const broken = new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('end', resolve);
      stopController.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // `broken` is awaited below; if it rejects before that, the rejection must not count as unhandled.
    broken.catch(() => {});
    client.on('notification', ({ channel, payload = '' }) => dispatch(channel, payload));
    try {
      await client.connect();
      for (const channel of new Set(subscriptions.map((subscription) => subscription.channel)))
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onConnected();
      await Promise.race([broken, sendHeartbeats(client, stopController.signal)]);
    } finally {
      // Not awaited, because it would take minutes if the database's machine is gone.
      client.end().catch(() => {});
    }
  }

  function onConnected(): void {
    failures = 0;
    if (wasConnected) for (const handleGap of gapHandlers) handleGap();
    wasConnected = true;
    firstConnection.resolve();
  }

  function dispatch(channel: string, payload: string): void {
    for (const subscription of subscriptions) {
      if (subscription.channel !== channel) continue;
      try {
        subscription.handlePayload(payload);
      } catch (error) {
        log.error({ err: error, channel }, 'a NOTIFY payload could not be parsed');
      }
    }
  }

  return {
    on(channel, handlePayload) {
      invariant(running === undefined, 'a channel was added to a listener that runs');
      subscriptions.push({ channel, handlePayload });
    },
    onGap: (handleGap) => void gapHandlers.push(handleGap),
    start() {
      running ??= listenUntilStopped();
      return firstConnection.promise;
    },
    async stop() {
      stopController.abort();
      firstConnection.resolve();
      await running;
    },
  };
}

/** Rejects when the database stops responding, which a connection without traffic would not reveal. */
async function sendHeartbeats(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(heartbeatMs, signal);
    if (!signal.aborted) await client.query('select 1');
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
  });
}
