import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { type Clock, shiftedClock } from './clock.ts';
import { inTransaction } from './db/transaction.ts';
import type { Deps } from './deps.ts';
import { createPayment, settleReceived } from './payments/index.ts';

/**
 * A month of a small shop, played at Banco Sandbox: its time is set back while nothing stands in its books, then every
 * charge is created, paid and booked by the operations that everything else uses, and time goes on to the present. So
 * both books, the bank's and ours, hold the same payments on the same days.
 */

type Sale = {
  readonly at: Date;
  /** BRL. */
  readonly amount: number;
  readonly expiresInSeconds: number;
  /** Undefined: nobody pays it. */
  readonly payer: { readonly name: string; readonly document: string } | undefined;
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const prices = [29.9, 86.4, 49.9, 112, 35.5, 240, 64.9, 18.75, 129.9, 57.3, 319.75, 42.9, 74, 93.6, 22.5];
const payers = [
  { name: 'Helena Prado', document: '39053344705' },
  { name: 'Otávio Nunes Ribeiro', document: '86288366757' },
  { name: 'Cecília Amaral', document: '71428793860' },
  { name: 'Padaria Boa Vista Ltda', document: '11222333000181' },
];

/**
 * The sales of the days after `since`, oldest first, up to one that was made before `now` and may still be paid: none
 * on Sundays, most on Saturdays, and some that nobody paid.
 */
function salesOf(since: Date, now: Date): Sale[] {
  const sales: Sale[] = [];
  for (let midnight = startOfDay(since) + day; midnight < now.getTime(); midnight += day) {
    const weekday = new Date(midnight).getUTCDay();
    const count = weekday === 0 ? 0 : weekday === 6 ? 3 : 1 + (sales.length % 2);
    for (let nth = 0; nth < count; nth += 1)
      sales.push(sale(sales.length, midnight + 9 * hour + nth * 3 * hour));
  }
  const done = sales.filter(({ at }) => at.getTime() < now.getTime() - 10 * minute);
  const at = new Date(now.getTime() - 5 * minute);
  return [...done, { at, amount: 58.9, expiresInSeconds: 86_400, payer: undefined }];
}

/** Midnight in São Paulo, three hours behind UTC. */
function startOfDay(moment: Date): number {
  return Math.floor((moment.getTime() - 3 * hour) / day) * day + 3 * hour;
}

function sale(serial: number, from: number): Sale {
  return {
    at: new Date(from + ((serial * 37) % 160) * minute),
    amount: prices[serial % prices.length] ?? 50,
    expiresInSeconds: 1800,
    payer: serial % 9 === 4 ? undefined : payers[serial % payers.length],
  };
}

/**
 * Plays the sales since `since` for a merchant. Without its bank, or at a bank that has a past already, there is none.
 * Whatever breaks it off, time is in the present afterwards.
 */
export async function playHistory(deps: Deps, merchantId: number, since: Date): Promise<void> {
  const present = deps.clock.now();
  try {
    const ago = (present.getTime() - since.getTime()) / 1000;
    const clock = shiftedClock();
    clock.follow(await moveBank(deps, { beginSecondsAgo: ago }));
    const past = { ...deps, clock };
    for (const one of salesOf(since, present)) await play(past, merchantId, one);
  } catch (err) {
    deps.log.warn({ err }, 'the demo merchant has no history, or not all of it');
  }
  await endPlayedPast(deps);
}

type PastDeps = Deps & { clock: ReturnType<typeof shiftedClock> };

async function play(deps: PastDeps, merchantId: number, { at, amount, expiresInSeconds, payer }: Sale) {
  const advanceSeconds = Math.max(0, (at.getTime() - deps.clock.now().getTime()) / 1000);
  deps.clock.follow(await moveBank(deps, { advanceSeconds }));
  const wanted = { merchantId, amount, expiresInSeconds, callbackUrl: undefined };
  const { brCode } = await createPayment(deps, wanted);
  if (payer === undefined) return;
  deps.clock.follow(await moveBank(deps, { advanceSeconds: 75 }));
  const { endToEndId } = paid.parse(await askBank(deps, '/sandbox/payments', { brCode, payer }));
  const pix = await deps.psp.findReceivedPix(endToEndId);
  if (pix !== undefined) await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.config.pixKey));
}

/** Brings a bank whose time is in the past, as a start that was killed leaves it, to the present. */
export async function endPlayedPast(deps: Deps): Promise<void> {
  try {
    const { offsetSeconds } = bankTime.parse(await askBank(deps, '/sandbox/clock'));
    const advanceSeconds = Math.max(0, -offsetSeconds);
    await untilReached(deps.clock, await moveBank(deps, { advanceSeconds }));
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

const paid = z.object({ endToEndId: z.string() });
const bankTime = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });

async function moveBank(deps: Deps, move: Record<string, number>): Promise<Date> {
  return new Date(bankTime.parse(await askBank(deps, '/sandbox/clock', move)).now);
}

/** Asks what only the sandbox's bank offers. Throws when it does not answer, or says no. */
async function askBank({ config }: Deps, path: string, payload?: object): Promise<unknown> {
  const asking =
    payload === undefined
      ? { method: 'GET' as const }
      : {
          method: 'POST' as const,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(payload),
        };
  const signal = AbortSignal.timeout(5000);
  const { statusCode, body } = await request(new URL(path, config.psp.baseUrl), { ...asking, signal });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`Banco Sandbox answered ${statusCode}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}
