import * as z from 'zod/mini';

/**
 * The person who made something in the dashboard: a charge, a withdrawal, a refund, an API key. Only sessions are told;
 * API keys, payers and webhooks never are.
 */
export const maker = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether the person is still a member of the account. */
  member: z.boolean(),
});
export type Maker = z.infer<typeof maker>;
