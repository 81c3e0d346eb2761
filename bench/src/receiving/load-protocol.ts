import { z } from 'zod';

/** What the load process is asked to send. */
export const loadJob = z.object({
  id: z.int(),
  /** `http://127.0.0.1:PORT` */
  origin: z.string(),
  path: z.string(),
  /** Lines of an API key (may be empty), a tab, and a JSON body. */
  file: z.string(),
  /** Requests under way at once; each on a connection of its own. */
  connections: z.int(),
  /** No request begins later than this. */
  seconds: z.number(),
});
export type LoadJob = z.infer<typeof loadJob>;

const percentiles = z.object({ p50: z.number(), p99: z.number(), highest: z.number() });

/** What came of it. Moments and latencies in milliseconds. */
export const loadReport = z.object({
  id: z.int(),
  beganAt: z.number(),
  endedAt: z.number(),
  sent: z.int(),
  byStatus: z.record(z.string(), z.int()),
  /** Connections that broke, or calls that were never answered. */
  failures: z.int(),
  /** Of the answers 503, those that say when to come back. */
  withRetryAfter: z.int(),
  /** Of answers below 300. */
  latencyMs: percentiles.optional(),
  /** The load process's own. */
  processorSeconds: z.number(),
});
export type LoadReport = z.infer<typeof loadReport>;
