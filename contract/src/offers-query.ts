import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';

/**
 * Query of a merchant's list of payment links (pages that create a charge for each payer) or of counter codes (printed
 * codes that can be paid repeatedly). Of either list, `active` selects the items that can be paid now, `ended` all
 * others.
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
