import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { type Clock, shiftedClock } from '../clock.ts';
import type { Deps } from '../deps.ts';

/** Deps at a time that is the bank's, and only goes forward. */
export type Past = Deps & { readonly clock: ReturnType<typeof shiftedClock> };

const bankTime = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });

/** Sets the time of a bank back in whose books nothing stands yet. Throws when something does. */
export async function beginPast(deps: Deps, since: Date): Promise<Past> {
  const clock = shiftedClock();
  const beginSecondsAgo = (deps.clock.now().getTime() - since.getTime()) / 1000;
  clock.follow(await moveBank(deps, { beginSecondsAgo }));
  // What happens in the story is no news to whoever watches the start.
  return { ...deps, clock, log: deps.log.child({}, { level: 'error' }) };
}

/** Lets time go on to a moment, unless it has come already. */
export async function goOnTo(past: Past, moment: Date): Promise<void> {
  const milliseconds = moment.getTime() - past.clock.now().getTime();
  if (milliseconds > 0) past.clock.follow(await moveBank(past, { advanceSeconds: milliseconds / 1000 }));
}

/** Brings a bank whose time is in the past, as a start that was killed leaves it, to the present. */
export async function endPast(deps: Deps): Promise<void> {
  try {
    const { offsetSeconds } = bankTime.parse(await askBank(deps, 'GET', '/sandbox/clock'));
    // Nobody but us can have changed how a bank behaves that stands in the past.
    if (offsetSeconds < 0) await behave(deps, {});
    await untilReached(deps.clock, await moveBank(deps, { advanceSeconds: Math.max(0, -offsetSeconds) }));
  } catch (err) {
    deps.log.warn({ err }, 'Banco Sandbox does not tell its time yet');
  }
}

/** The gateway's clock follows the bank's once a second: nobody is let in while it is still in the past. */
async function untilReached(clock: Clock, present: Date): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (clock.now().getTime() > present.getTime() - 5000) return;
    await pause(25);
  }
}

/** How the bank treats payouts, and its shop webhooks, from now on; what is not named is normal. */
export async function behave(
  deps: Deps,
  behaviour: {
    readonly payouts?: 'refused' | 'slow';
    readonly slowSeconds?: number;
    readonly shopSystem?: 'down';
  },
): Promise<void> {
  await askBank(deps, 'PUT', '/sandbox/behaviour', {
    payouts: 'normal',
    slowSeconds: 5,
    shopSystem: 'normal',
    ...behaviour,
  });
}

async function moveBank(deps: Deps, move: Record<string, number>): Promise<Date> {
  return new Date(bankTime.parse(await askBank(deps, 'POST', '/sandbox/clock', move)).now);
}

/** Asks what only the sandbox's bank offers. Throws when it does not answer, or says no. */
export async function askBank(
  { config }: Deps,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  payload?: object,
): Promise<unknown> {
  const { statusCode, body } = await request(new URL(path, config.psp.baseUrl), {
    method,
    ...(payload !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`Banco Sandbox answered ${statusCode}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}
