import { once } from 'node:events';
import { createServer } from 'node:http';
import { readClientCertificateExpiry } from '../client-certificate.ts';
import { countBroken } from '../connections/index.ts';
import type { Deps } from '../deps.ts';
import {
  type BackgroundHealth,
  readQueues,
  readReconciliationState,
  tryWithTimeout,
  type WriteCheck,
} from '../gateway/index.ts';
import { endStalledWrites, STALLED_MS } from '../http/stalled-writes.ts';
import type { Metrics } from './metrics.ts';
import { type ConnectionPools, createStateGauges, type DatabaseFigures } from './state-gauges.ts';
import { countOpenItems, readGatewayFigures } from './store.ts';

export type MetricsServer = { readonly port: number; stop(): Promise<void> };

export type MetricsOptions = {
  readonly metrics: Metrics;
  readonly work: BackgroundHealth;
  readonly writes: WriteCheck;
  readonly pools: ConnectionPools;
  /** The address to listen on. */
  readonly listenAddress: { readonly host: string; readonly port: number };
};

/**
 * Serves `GET /metrics` in Prometheus text format, on its own port. There is no authentication, so the port must be
 * reachable only by the monitoring system.
 */
export async function serveMetrics(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'banks' | 'log' | 'replica'>,
  { metrics: { registry }, work, writes, pools, listenAddress }: MetricsOptions,
): Promise<MetricsServer> {
  const { config, banks, clock, log } = deps;
  const setGauges = createStateGauges(registry);
  const certificateEnd = readClientCertificateExpiry(config);
  let currentCollection: Promise<string> | undefined;

  async function collect(): Promise<string> {
    const now = clock.now();
    const [state, writeState] = await Promise.all([tryWithTimeout(readState(deps, now)), writes()]);
    const isWorkHealthy = work.healthy();
    const isBankReachable = banks.house.psp.reachable();
    await setGauges({
      now,
      state,
      isDatabaseUp: state !== undefined && writeState === 'ok',
      pools,
      isWorkHealthy,
      isBankReachable,
      certificateEnd,
      replica: deps.replica?.health(),
      dataDir: config.dataDir,
    });
    return registry.metrics();
  }

  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    // Concurrent requests share one collection.
    currentCollection ??= collect().finally(() => {
      currentCollection = undefined;
    });
    currentCollection.then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (err: unknown) => {
        log.error({ err }, 'the metrics could not be served');
        response.writeHead(500).end();
      },
    );
  }).listen(listenAddress.port, listenAddress.host);
  endStalledWrites(server, STALLED_MS);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : listenAddress.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readState({ db }: Pick<Deps, 'db'>, now: Date): Promise<DatabaseFigures> {
  const [queues, reconciliation, figures, openItems, brokenConnectionCount] = await Promise.all([
    readQueues(db, now),
    readReconciliationState(db),
    readGatewayFigures(db),
    countOpenItems(db),
    countBroken({ db }),
  ]);
  return { queues, reconciliation, figures, openItems, brokenConnectionCount };
}
