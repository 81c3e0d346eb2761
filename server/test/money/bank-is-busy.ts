import { z } from 'zod';
import type { TestBank } from '../bank.ts';

/** Whether the bank has unsent notices or unfinished orders. */
export async function bankIsBusy(bank: TestBank): Promise<boolean> {
  const response = await fetch(`${bank.url}/sandbox/notifications`);
  const { pending, settling } = z
    .object({ pending: z.number(), settling: z.number() })
    .parse(await response.json());
  return pending + settling > 0;
}
