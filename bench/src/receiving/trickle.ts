import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { chargeKeyOf } from '../../../server/src/payments/bank-ids.ts';
import { type Percentiles, percentilesOf } from '../statistics.ts';
import { txidOfNotice } from './prepare-round.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';

/**
 * The result of a trickle: notifications of payments that are sent at a steady rate, however fast the gateway responds.
 */
export type Trickle = {
  readonly byStatus: Readonly<Record<string, number>>;
  /** From the call to its response. */
  readonly answeredMs: Percentiles;
  /** From the call to the moment when another connection sees the charge paid, exact to a few milliseconds. */
  readonly creditedMs: Percentiles;
};

type SentNotification = { readonly txid: string; readonly sentMs: number };

const connections = 16;
const pollIntervalMs = 3;
const timeoutMs = 60_000;

/** Sends the notifications in `file`, one payment each, on schedule, without waiting for responses. */
export async function sendTrickle(
  rig: TestRig,
  gateway: BenchGateway,
  file: string,
  perSecond: number,
): Promise<Trickle> {
  const pool = new Pool(gateway.origin, { connections, pipelining: 1 });
  const byStatus: Record<string, number> = {};
  const answeredMs: number[] = [];
  const uncredited = new Set<SentNotification>();
  const send = async (body: string) => {
    const notification = { txid: txidOfNotice(body), sentMs: performance.now() };
    uncredited.add(notification);
    const headers = { 'content-type': 'application/json' };
    const response = await pool.request({ path: gateway.noticePath, method: 'POST', headers, body });
    answeredMs.push(performance.now() - notification.sentMs);
    await response.body.dump();
    byStatus[response.statusCode] = (byStatus[response.statusCode] ?? 0) + 1;
    // The payment of a refused notification is not credited, so it is not waited for.
    if (response.statusCode !== 200) uncredited.delete(notification);
  };
  const sending = sendAtSteadyRate(file, perSecond, send);
  const creditedMs = await waitUntilAllCredited(rig, uncredited, sending);
  await pool.close();
  return { byStatus, answeredMs: percentilesOf(answeredMs), creditedMs: percentilesOf(creditedMs) };
}

/** Sends the calls in `file` at a steady rate, without waiting for responses. */
export async function sendAtSteadyRate(
  file: string,
  perSecond: number,
  send: (body: string) => Promise<void>,
): Promise<void> {
  const pendingCalls: Promise<void>[] = [];
  const startMs = performance.now();
  for (const [nth, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const waitMs = startMs + (nth * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    pendingCalls.push(send(line.slice(line.indexOf('\t') + 1)));
  }
  await Promise.all(pendingCalls);
}

/**
 * Polls the database until all notified payments are credited, or none was credited for a minute. Returns how long each
 * took. One query asks for all payments, so that polling costs little.
 */
async function waitUntilAllCredited(
  { pool }: TestRig,
  uncredited: Set<SentNotification>,
  sending: Promise<void>,
): Promise<number[]> {
  const creditedMs: number[] = [];
  let isAllSent = false;
  const endOfSending = sending.finally(() => {
    isAllSent = true;
  });
  let deadline = performance.now() + timeoutMs;
  while ((!isAllSent || uncredited.size > 0) && performance.now() < deadline) {
    await sleep(pollIntervalMs);
    if (uncredited.size === 0) continue;
    const pending = [...uncredited];
    const keys = pending.map(({ txid }) => chargeKeyOf(txid));
    const { rows } = await pool.query<{ txid: string }>(
      `select txid from charges
       join unnest($1::bigint[], $2::uuid[]) asked (merchant_id, id) using (merchant_id, id)
       where status = 'paid'`,
      [keys.map((key) => key?.merchantId), keys.map((key) => key?.id)],
    );
    const paid = new Set(rows.map(({ txid }) => txid));
    const now = performance.now();
    for (const notification of pending.filter(({ txid }) => paid.has(txid))) {
      uncredited.delete(notification);
      creditedMs.push(now - notification.sentMs);
      deadline = now + timeoutMs;
    }
  }
  await endOfSending;
  return creditedMs;
}
