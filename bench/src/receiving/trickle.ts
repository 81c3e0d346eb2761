import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { merchantOfTxid } from '../../../server/src/payments/payment.ts';
import { type Percentiles, percentilesOf } from '../statistics.ts';
import { txidOfNotice } from './prepare-round.ts';
import type { BenchGateway, Stand } from './stand.ts';

/** Notifications at a steady rate, regardless of other load. */
export type Trickle = {
  readonly byStatus: Readonly<Record<string, number>>;
  /** From the call to its response. */
  readonly answeredMs: Percentiles;
  /** From the call to the moment when another connection sees the charge paid, exact to a few milliseconds. */
  readonly creditedMs: Percentiles;
};

type Told = { readonly txid: string; readonly began: number };

const connections = 16;
const lookEveryMs = 3;
const patienceMs = 60_000;

/** Sends the notifications in `file`, one payment each, on schedule, without waiting for responses. */
export async function sendTrickle(
  stand: Stand,
  gateway: BenchGateway,
  file: string,
  perSecond: number,
): Promise<Trickle> {
  const pool = new Pool(gateway.origin, { connections, pipelining: 1 });
  const byStatus: Record<string, number> = {};
  const answeredMs: number[] = [];
  const waiting = new Set<Told>();
  const send = async (body: string) => {
    const told = { txid: txidOfNotice(body), began: performance.now() };
    waiting.add(told);
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ path: gateway.noticePath, method: 'POST', headers, body });
    answeredMs.push(performance.now() - told.began);
    await answer.body.dump();
    byStatus[answer.statusCode] = (byStatus[answer.statusCode] ?? 0) + 1;
    // The payment of a refused notification is not credited, so it is not waited for.
    if (answer.statusCode !== 200) waiting.delete(told);
  };
  const sending = sendAtTheirTimes(file, perSecond, send);
  const creditedMs = await watch(stand, waiting, sending);
  await pool.close();
  return { byStatus, answeredMs: percentilesOf(answeredMs), creditedMs: percentilesOf(creditedMs) };
}

/** Sends the calls in `file` at a steady rate, without waiting for responses. */
export async function sendAtTheirTimes(
  file: string,
  perSecond: number,
  send: (body: string) => Promise<void>,
): Promise<void> {
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (const [nth, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const wait = began + (nth * 1000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    under.push(send(line.slice(line.indexOf('\t') + 1)));
  }
  await Promise.all(under);
}

/** Returns how long each took to be credited. One query polls for all pending ones, so that it costs little. */
async function watch({ pool }: Stand, waiting: Set<Told>, sending: Promise<void>): Promise<number[]> {
  const creditedMs: number[] = [];
  let ended = false;
  const end = sending.finally(() => {
    ended = true;
  });
  let deadline = performance.now() + patienceMs;
  while ((!ended || waiting.size > 0) && performance.now() < deadline) {
    await pause(lookEveryMs);
    if (waiting.size === 0) continue;
    const asked = [...waiting];
    const { rows } = await pool.query<{ txid: string }>(
      `select txid from charges
       join unnest($1::bigint[], $2::text[]) asked (merchant_id, txid) using (merchant_id, txid)
       where status = 'paid'`,
      [asked.map(({ txid }) => merchantOfTxid(txid)), asked.map(({ txid }) => txid)],
    );
    const paid = new Set(rows.map(({ txid }) => txid));
    const now = performance.now();
    for (const told of asked.filter(({ txid }) => paid.has(txid))) {
      waiting.delete(told);
      creditedMs.push(now - told.began);
      deadline = now + patienceMs;
    }
  }
  await end;
  return creditedMs;
}
