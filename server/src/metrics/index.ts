/** Metrics for Prometheus; `ops/alerts.yml` watches them. */
export { createMetrics, type Metrics } from './metrics.ts';
export { serveMetrics } from './serve-metrics.ts';
