import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { BankExchange } from '../psp/index.ts';

/**
 * The metrics that this process collects while it runs. Every label has few possible values, and none identifies a
 * person.
 */
export type Metrics = {
  readonly registry: Registry;
  /** Measures a server's response times by route; call it before the server listens. */
  measureResponses(server: FastifyInstance): void;
  /** Records one call to the bank, with its duration and outcome. */
  recordBankExchange(exchange: BankExchange): void;
};

/** The label for requests to unknown paths: strangers must not be able to create labels with made-up paths. */
const noRoute = 'none';

export function createMetrics({ version, role, psp }: Pick<Config, 'version' | 'role' | 'psp'>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requestDurations = new Histogram({
    name: 'jangada_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const bankDurations = new Histogram({
    name: 'jangada_bank_exchange_duration_seconds',
    help: 'Time that the bank took for one call, by operation and outcome: the class of its status, or none without an answer.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const buildInfo = new Gauge({
    name: 'jangada_build_info',
    help: 'Always 1: what runs here.',
    labelNames: ['version', 'role', 'psp'],
    registers,
  });
  buildInfo.set({ version, role, psp: psp.name }, 1);
  return {
    registry,
    measureResponses(server) {
      server.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
        const route = routeOptions.url ?? noRoute;
        requestDurations.observe(
          { method: route === noRoute ? noRoute : method, route, status: statusCode },
          elapsedTime / 1000,
        );
      });
    },
    recordBankExchange: ({ operation, outcome, seconds }) =>
      bankDurations.observe({ operation, outcome }, seconds),
  };
}
