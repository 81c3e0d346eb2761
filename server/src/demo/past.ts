// The demo's history is played in the past: the time of Banco Sandbox, the simulated bank, is moved back and then
// advanced step by step to the present.

import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { type Clock, createAdjustableClock } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { type AtBank, atHouse } from '../psp/index.ts';

/** Dependencies at the sandbox bank whose clock follows its simulated time, which never goes back. */
export type PastDeps = AtBank & { readonly clock: ReturnType<typeof createAdjustableClock> };

const bankTime = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });

/**
 * Moves the bank's time into the past, and returns dependencies whose clock follows it. Throws if the bank already has
 * entries in its books.
 */
export async function moveToPast(deps: Deps, since: Date): Promise<PastDeps> {
  const clock = createAdjustableClock();
  const beginSecondsAgo = (deps.clock.now().getTime() - since.getTime()) / 1000;
  clock.follow(await moveBankTime(deps, { beginSecondsAgo }));
  // Only errors are logged: simulated events of the past are no news to the operator.
  return { ...atHouse(deps), clock, log: deps.log.child({}, { level: 'error' }) };
}

/** Advances the bank's time and the clock to a moment, unless that moment has already passed. */
export async function advanceTo(past: PastDeps, moment: Date): Promise<void> {
  const milliseconds = moment.getTime() - past.clock.now().getTime();
  if (milliseconds > 0) past.clock.follow(await moveBankTime(past, { advanceSeconds: milliseconds / 1000 }));
}

/**
 * Moves the bank's time to the present if it is in the past, for example because an earlier start was killed while it
 * seeded the demo.
 */
export async function returnToPresent(deps: Deps): Promise<void> {
  try {
    const { offsetSeconds } = bankTime.parse(await callSandbox(deps, 'GET', '/sandbox/clock'));
    // If the bank's time is in the past, a seeding was interrupted and may have left the bank refusing or delaying
    // payouts, so the bank's behaviour is reset.
    if (offsetSeconds < 0) await setBankBehaviour(deps, {});
    await waitForClock(deps.clock, await moveBankTime(deps, { advanceSeconds: Math.max(0, -offsetSeconds) }));
  } catch (err) {
    deps.log.warn({ err }, 'the clock of Banco Sandbox could not be read yet');
  }
}

/**
 * Waits until the gateway's clock, which copies the bank's time once a second, has left the past, so that nobody signs
 * in while the clock is wrong. Gives up after five seconds.
 */
async function waitForClock(clock: Clock, present: Date): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (clock.now().getTime() > present.getTime() - 5000) return;
    await pause(25);
  }
}

/**
 * Sets how the sandbox bank treats payouts, and how the shop system that it simulates treats webhooks. Settings left
 * out return to normal.
 */
export async function setBankBehaviour(
  deps: Deps,
  behaviour: {
    readonly payouts?: 'refused' | 'slow';
    readonly slowSeconds?: number;
    readonly shopSystem?: 'down';
  },
): Promise<void> {
  await callSandbox(deps, 'PUT', '/sandbox/behaviour', {
    payouts: 'normal',
    slowSeconds: 5,
    shopSystem: 'normal',
    ...behaviour,
  });
}

/** Moves the bank's time, and returns the time that the bank then has. */
async function moveBankTime(deps: Deps, move: Record<string, number>): Promise<Date> {
  return new Date(bankTime.parse(await callSandbox(deps, 'POST', '/sandbox/clock', move)).now);
}

/** Calls an API that only the sandbox bank has. Throws if the bank does not respond, or responds with an error. */
export async function callSandbox(
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

/** A step of the demo's history: the time at which it happens, and what happens. */
export type HistoryStep = { readonly at: Date; play(past: PastDeps): Promise<void> };
