import { z } from 'zod';

/** A request to the receivers' process. */
export const receiversOrder = z.discriminatedUnion('order', [
  /** From now on some endpoints fail or hang; before, all are healthy. */
  z.object({ order: z.literal('trouble') }),
  /** Asks for the number of calls that got a 204. */
  z.object({ order: z.literal('count') }),
  /** Writes all calls to a file, one per line, and responds when done. */
  z.object({ order: z.literal('write'), file: z.string() }),
]);
export type ReceiversOrder = z.infer<typeof receiversOrder>;

export const receiversPorts = z.object({ ports: z.array(z.int()) });
export const receiversCount = z.object({ taken: z.int() });

/** A call received by an endpoint, including retries. */
export const receivedCall = z.object({
  endpoint: z.int(),
  /** The `webhook-id`. */
  event: z.string(),
  /** When its first byte arrived (`monotonicMs`). */
  atMs: z.number(),
  /** Null: there was no response. */
  status: z.int().nullable(),
});
export type ReceivedCall = z.infer<typeof receivedCall>;
