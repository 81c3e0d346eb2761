import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';

/**
 * Query of the list of a merchant's offers, that is, payment links or counter codes. `active` selects the offers that
 * can be paid, `ended` all others.
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
