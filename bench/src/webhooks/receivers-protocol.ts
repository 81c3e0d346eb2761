import { z } from 'zod';

/** What the process of receivers is asked. */
export const receiversOrder = z.discriminatedUnion('order', [
  /** From now on some endpoints fail or hang; before that all are well. */
  z.object({ order: z.literal('trouble') }),
  /** Answers how many calls were answered with 204. */
  z.object({ order: z.literal('count') }),
  /** Writes all calls to a file, one a line, and answers when it is there. */
  z.object({ order: z.literal('write'), file: z.string() }),
]);
export type ReceiversOrder = z.infer<typeof receiversOrder>;

export const receiversPorts = z.object({ ports: z.array(z.int()) });
export const receiversCount = z.object({ taken: z.int() });

/** A call that an endpoint received, retries too. */
export const receivedCall = z.object({
  endpoint: z.int(),
  /** The `webhook-id`. */
  event: z.string(),
  /** When its first byte came (`monotonicMs`). */
  atMs: z.number(),
  /** Null: it was not answered. */
  status: z.int().nullable(),
});
export type ReceivedCall = z.infer<typeof receivedCall>;
