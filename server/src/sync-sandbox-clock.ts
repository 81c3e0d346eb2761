import { request } from 'undici';
import { z } from 'zod';
import type { createAdjustableClock } from './clock.ts';

const bankTime = z.object({ now: z.iso.datetime() });

/**
 * Sets a clock to the time of Banco Sandbox, the simulated bank, whose time can be moved. Throws if the bank does not
 * respond.
 */
export async function syncClockWithBank(
  clock: Pick<ReturnType<typeof createAdjustableClock>, 'follow'>,
  apiUrl: string,
): Promise<void> {
  const { body } = await request(new URL('/sandbox/clock', apiUrl), { signal: AbortSignal.timeout(5000) });
  clock.follow(new Date(bankTime.parse(await body.json()).now));
}
