import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';

/**
 * Query of a list of a merchant's offers. An offer is a payment link or a counter code. `active` selects the offers
 * that can be paid now, `ended` all others.
 */
export const offersQuery = z.object({
  status: z.optional(z.enum(['active', 'ended'])),
  limit: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
    PAGE_SIZE.transactions,
  ),
  /** Cursor: `next` of the previous page. */
  before: z.optional(z.string().check(z.maxLength(200))),
});
