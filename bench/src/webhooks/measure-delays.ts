import { Pool } from 'undici';
import { preparedFileOf, txidOfNotice } from '../receiving/prepare-round.ts';
import type { TestRig } from '../receiving/test-rig.ts';
import { sendAtSteadyRate } from '../receiving/trickle.ts';
import { type Percentiles, percentilesOf } from '../statistics.ts';
import type { JudgedCalls } from './judge-calls.ts';
import type { PreparedPayment } from './prepare-payments.ts';
import { monotonicMs } from './receivers-protocol.ts';
import { type WebhookRig, waitUntilAccepted } from './webhook-rig.ts';

/** The delays until deliveries to healthy endpoints begin. */
export type Delays = {
  readonly deliveries: number;
  /** From the notification of the payment to the first byte of its delivery. */
  readonly fromNotificationMs: Percentiles;
  /** From the start of the settling transaction to the start of the first attempt, by the gateway's clock. */
  readonly fromSettlingMs: Percentiles;
};

export type DelayRound = {
  /** The delays while all endpoints are healthy. */
  readonly quiet: Delays;
  /** The delays while some endpoints fail and hang. */
  readonly troubled: Delays;
  readonly faults: readonly string[];
};

// More connections than are ever needed at the same time, so that no call waits for another.
const connections = 512;

/**
 * Notifies the gateway of payments one by one at a steady rate: first while all endpoints are healthy, then while some
 * fail and hang. Returns a function that computes the results when the rig has stopped and its calls are judged.
 */
export async function measureDelays(
  webhookRig: WebhookRig,
  names: { readonly quiet: string; readonly troubled: string },
  perSecond: number,
): Promise<(judged: JudgedCalls) => DelayRound> {
  const { rig, receivers } = webhookRig;
  const acceptedBefore = await receivers.countAccepted();
  const quiet = await notifyAtSteadyRate(webhookRig, names.quiet, perSecond);
  await waitUntilAccepted(receivers, acceptedBefore + quiet.length);
  await receivers.startFailures();
  const troubled = await notifyAtSteadyRate(webhookRig, names.troubled, perSecond);
  await waitUntilAccepted(receivers, acceptedBefore + quiet.length + troubled.length);
  const settling = {
    quiet: await readSettlingDelays(rig, quiet),
    troubled: await readSettlingDelays(rig, troubled),
  };
  return ({ firstMs, faults }) => {
    const delaysOf = (payments: readonly NotifiedPayment[], fromSettlingMs: Percentiles): Delays => ({
      deliveries: payments.length,
      fromNotificationMs: percentilesOf(
        payments.flatMap(({ event, notifiedMs }) => {
          const first = firstMs.get(event);
          return first === undefined ? [] : [first - notifiedMs];
        }),
      ),
      fromSettlingMs,
    });
    return {
      quiet: delaysOf(quiet, settling.quiet),
      troubled: delaysOf(troubled, settling.troubled),
      faults,
    };
  };
}

type NotifiedPayment = PreparedPayment & {
  /** When the gateway was notified, by `monotonicMs`. */
  readonly notifiedMs: number;
};

/** Notifies the gateway of a group of payments. Returns the payments whose endpoints are healthy. */
async function notifyAtSteadyRate(
  { gateway, files, payments }: WebhookRig,
  name: string,
  perSecond: number,
): Promise<NotifiedPayment[]> {
  const pool = new Pool(gateway.origin, { connections, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  const notifiedMs = new Map<string, number>();
  const failureStatuses: number[] = [];
  await sendAtSteadyRate(preparedFileOf(files, name), perSecond, async (body) => {
    notifiedMs.set(txidOfNotice(body), monotonicMs());
    const response = await pool.request({ path: gateway.noticePath, method: 'POST', headers, body });
    await response.body.dump();
    if (response.statusCode !== 200) failureStatuses.push(response.statusCode);
  });
  await pool.close();
  if (failureStatuses.length > 0)
    throw new Error(`${name}: ${failureStatuses.length} answers ${failureStatuses[0]}`);
  return (payments.get(name) ?? []).flatMap((payment) => {
    const paymentNotifiedMs = notifiedMs.get(payment.txid);
    const isMeasured = paymentNotifiedMs !== undefined && payment.behaviour === 'healthy';
    return isMeasured ? [{ ...payment, notifiedMs: paymentNotifiedMs }] : [];
  });
}

/** Reads the times from the start of the settling transaction to the first attempt, as the gateway stored both. */
async function readSettlingDelays(
  { pool }: TestRig,
  payments: readonly NotifiedPayment[],
): Promise<Percentiles> {
  const { rows } = await pool.query<{ milliseconds: number }>(
    `select extract(epoch from (attempts -> 0 ->> 'at')::timestamptz - created_at)::float8 * 1000 as milliseconds
     from webhook_deliveries where split_part(id, '.', 1) = any($1) and attempts <> '[]'`,
    [payments.map(({ event }) => event)],
  );
  return percentilesOf(rows.map(({ milliseconds }) => milliseconds));
}
