import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { merchantOfTxid } from '../../../server/src/payments/payment.ts';
import { type Percentiles, percentilesOf } from '../statistics.ts';
import { txidOfNotice } from './prepare-round.ts';
import type { BenchGateway, Stand } from './stand.ts';

/** Sequential payments on an otherwise idle gateway. */
export type LoneTimes = {
  readonly payments: number;
  /** From the call to its response. */
  readonly answeredMs: Percentiles;
  /** From the call to the moment when another connection sees the charge paid. */
  readonly creditedMs: Percentiles;
  /** The interval between two polls, which limits the precision of `creditedMs`. */
  readonly lookMs: Percentiles;
  readonly faults: readonly string[];
};

const patienceMs = 10_000;

/** Sends the notifications in `file` with pauses of 20 to 80 ms, and polls the database for each payment. */
export async function measureLonePayments(
  stand: Stand,
  gateway: BenchGateway,
  file: string,
): Promise<LoneTimes> {
  const client = new Client(gateway.origin, { pipelining: 1 });
  const [answered, credited, looks, faults]: [number[], number[], number[], string[]] = [[], [], [], []];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    await pause(20 + Math.random() * 60);
    const body = line.slice(line.indexOf('\t') + 1);
    const txid = txidOfNotice(body);
    const began = performance.now();
    const call = client
      .request({
        path: gateway.noticePath,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      .then(async ({ statusCode, body: answer }) => {
        answered.push(performance.now() - began);
        await answer.dump();
        if (statusCode !== 200) faults.push(`an answer ${statusCode}`);
      });
    if (await untilPaid(stand, txid, looks)) credited.push(performance.now() - began);
    else faults.push('a lone payment was not credited');
    await call;
  }
  await client.close();
  return {
    payments: credited.length,
    answeredMs: percentilesOf(answered),
    creditedMs: percentilesOf(credited),
    lookMs: percentilesOf(looks),
    faults,
  };
}

async function untilPaid({ pool }: Stand, txid: string, looks: number[]): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  let last = performance.now();
  while (last < deadline) {
    const { rows } = await pool.query<{ paid: boolean }>(
      "select status = 'paid' as paid from charges where merchant_id = $1 and txid = $2",
      [merchantOfTxid(txid), txid],
    );
    if (rows[0]?.paid === true) return true;
    // Polling without a pause would take processor time from what is measured.
    await pause(1);
    looks.push(performance.now() - last);
    last = performance.now();
  }
  return false;
}
