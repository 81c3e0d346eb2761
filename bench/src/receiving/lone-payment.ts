import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { chargeKeyOf } from '../../../server/src/payments/bank-ids.ts';
import { type Percentiles, percentilesOf } from '../statistics.ts';
import { txidOfNotice } from './prepare-round.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';

/**
 * The times of lone payments: the gateway is notified of one payment at a time, and is otherwise idle. The field names
 * are those in `results/receiving.json`.
 */
export type LoneTimes = {
  /** The number of payments that were credited. */
  readonly payments: number;
  /** From the call to its response. */
  readonly answeredMs: Percentiles;
  /** From the call to the moment when another connection sees the charge paid. */
  readonly creditedMs: Percentiles;
  /** The interval between two polls of the database, which limits the precision of `creditedMs`. */
  readonly lookMs: Percentiles;
  readonly faults: readonly string[];
};

const timeoutMs = 10_000;

/** Sends the notifications in `file` with pauses of 20 to 80 ms, and polls the database for each payment. */
export async function measureLonePayments(
  rig: TestRig,
  gateway: BenchGateway,
  file: string,
): Promise<LoneTimes> {
  const client = new Client(gateway.origin, { pipelining: 1 });
  const answeredMs: number[] = [];
  const creditedMs: number[] = [];
  const pollIntervalsMs: number[] = [];
  const faults: string[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    await sleep(20 + Math.random() * 60);
    const body = line.slice(line.indexOf('\t') + 1);
    const txid = txidOfNotice(body);
    const startMs = performance.now();
    const call = client
      .request({
        path: gateway.noticePath,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      .then(async ({ statusCode, body: responseBody }) => {
        answeredMs.push(performance.now() - startMs);
        await responseBody.dump();
        if (statusCode !== 200) faults.push(`an answer ${statusCode}`);
      });
    if (await waitUntilPaid(rig, txid, pollIntervalsMs)) creditedMs.push(performance.now() - startMs);
    else faults.push('a lone payment was not credited');
    await call;
  }
  await client.close();
  return {
    payments: creditedMs.length,
    answeredMs: percentilesOf(answeredMs),
    creditedMs: percentilesOf(creditedMs),
    lookMs: percentilesOf(pollIntervalsMs),
    faults,
  };
}

/**
 * Polls the database until a charge is paid, and records the intervals between the polls. Returns false if the charge
 * is not paid in time.
 */
async function waitUntilPaid({ pool }: TestRig, txid: string, pollIntervalsMs: number[]): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const key = chargeKeyOf(txid);
  let lastPollMs = performance.now();
  while (lastPollMs < deadline) {
    const { rows } = await pool.query<{ paid: boolean }>(
      "select status = 'paid' as paid from charges where merchant_id = $1 and id = $2",
      [key?.merchantId, key?.id],
    );
    if (rows[0]?.paid === true) return true;
    // Polling without a pause would take processor time from what is measured.
    await sleep(1);
    pollIntervalsMs.push(performance.now() - lastPollMs);
    lastPollMs = performance.now();
  }
  return false;
}
