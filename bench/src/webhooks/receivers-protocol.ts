// The bench of webhooks runs the merchants' servers, which receive webhooks, in a separate process (receivers.ts).
// This file defines how each endpoint behaves, and the messages between that process and the bench.
import { z } from 'zod';

/** How an endpoint responds: with 204, with 500, or never. */
export type ReceiverBehaviour = 'healthy' | 'failing' | 'hanging';

/** Returns how an endpoint responds. Of a hundred endpoints one hangs and five fail, spread among the healthy ones. */
export function behaviourOf(endpointIndex: number): ReceiverBehaviour {
  if (endpointIndex % 100 === 0) return 'hanging';
  return endpointIndex % 20 === 7 ? 'failing' : 'healthy';
}

/** Returns the milliseconds of the machine's monotonic clock, which are comparable between processes. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A message to the receivers' process, which replies to each message with a `receiversCount`. */
export const receiversCommand = z.discriminatedUnion('command', [
  /** Makes endpoints behave as `behaviourOf` says. Before this message all endpoints are healthy. */
  z.object({ command: z.literal('start failures') }),
  z.object({ command: z.literal('count') }),
  /** Writes all calls to a file, one per line. */
  z.object({ command: z.literal('write'), file: z.string() }),
]);
export type ReceiversCommand = z.infer<typeof receiversCommand>;

/** The first message of the receivers' process: the port of each endpoint. */
export const receiversPorts = z.object({ ports: z.array(z.int()) });
/** The number of calls that got a 204. */
export const receiversCount = z.object({ accepted: z.int() });

/** A call received by an endpoint, including retries. */
export const receivedCall = z.object({
  /** The index of the endpoint among all endpoints. */
  endpoint: z.int(),
  /** The header `webhook-id`, which is the event's id. */
  event: z.string(),
  /** When the first byte of the call arrived, by `monotonicMs`. */
  atMs: z.number(),
  /** The status of the response; null if the endpoint did not respond. */
  status: z.int().nullable(),
});
export type ReceivedCall = z.infer<typeof receivedCall>;
