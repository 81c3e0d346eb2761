import { z } from 'zod';

/** A job for the load process, which sends the prepared calls of one file to the gateway. */
export const loadJob = z.object({
  id: z.int(),
  /** `http://127.0.0.1:PORT` */
  origin: z.string(),
  /** The path of the calls that have none of their own. */
  path: z.string(),
  /** The file of calls. Each line is an API key, which may be empty, a tab, and a JSON body; before them a path and a tab may stand. */
  file: z.string(),
  /** The number of connections, each of which sends one call at a time. */
  connections: z.int(),
  /** No call starts later than this after the start of the job. */
  seconds: z.number(),
  /** How long a connection waits before its next call. Without it, it waits for nothing. */
  pauseMs: z.number().optional(),
});
export type LoadJob = z.infer<typeof loadJob>;

/** Ends a job at once. Calls that wait for a response are broken off: they count as sent, and not as failures. */
export const loadStop = z.object({ stop: z.int() });

const percentiles = z.object({ p50: z.number(), p99: z.number(), highest: z.number() });

/** The result of a job. Times (since 1970) and latencies are in milliseconds. */
export const loadReport = z.object({
  id: z.int(),
  beganAt: z.number(),
  endedAt: z.number(),
  sent: z.int(),
  byStatus: z.record(z.string(), z.int()),
  /** Broken connections and calls without a response. */
  failures: z.int(),
  /** The number of 503 responses with the header Retry-After. */
  retryAfterCount: z.int(),
  /** The latencies of responses with a status below 300. */
  latencyMs: percentiles.optional(),
  /** Processor time of the load process. */
  processorSeconds: z.number(),
});
export type LoadReport = z.infer<typeof loadReport>;
