import { request } from 'undici';
import { z } from 'zod';
import { type Clock, createAdjustableClock } from './clock.ts';
import type { Config } from './config.ts';

const bankTime = z.object({ now: z.iso.datetime() });

/** Returns the clock of a command. In the sandbox it shows the time of Banco Sandbox, if Banco Sandbox is running. */
export async function clockOfCommand({ mode, psp }: Pick<Config, 'mode' | 'psp'>): Promise<Clock> {
  const clock = createAdjustableClock();
  if (mode === 'sandbox') await syncClockWithBank(clock, psp.baseUrl).catch(() => {});
  return clock;
}

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
