import { Pool } from 'undici';
import { fileOf } from '../receiving/file-of.ts';
import { txidOfNotice } from '../receiving/prepare-round.ts';
import type { Stand } from '../receiving/stand.ts';
import { sendAtTheirTimes } from '../receiving/trickle.ts';
import { type Percentiles, percentilesOf } from '../statistics.ts';
import type { JudgedCalls } from './judge-calls.ts';
import { monotonicMs } from './monotonic.ts';
import type { ToldPayment } from './prepare-payments.ts';
import { type Scene, untilTaken } from './scene.ts';

/** The delay until the first byte of a delivery to healthy endpoints. */
export type Delays = {
  readonly deliveries: number;
  /** From the notification of the payment to the first byte of its delivery. */
  readonly fromNotificationMs: Percentiles;
  /** From the start of the settling transaction to the start of the first attempt, by the gateway's clock. */
  readonly fromSettlingMs: Percentiles;
};

export type DelayRound = {
  readonly quiet: Delays;
  readonly troubled: Delays;
  readonly faults: readonly string[];
};

// More than ever needed at once, so that no call waits for another.
const connections = 512;

/**
 * Notifies payments one by one at a steady rate, first with healthy endpoints only, then with failing and hanging ones.
 * Returns a function that computes the results after the scene has ended.
 */
export async function measureDelays(
  scene: Scene,
  names: { readonly quiet: string; readonly troubled: string },
  perSecond: number,
): Promise<(judged: JudgedCalls) => DelayRound> {
  const { stand, receivers } = scene;
  const before = await receivers.countTaken();
  const quiet = await tellAtTheirTimes(scene, names.quiet, perSecond);
  await untilTaken(receivers, before + quiet.length);
  await receivers.makeTrouble();
  const troubled = await tellAtTheirTimes(scene, names.troubled, perSecond);
  await untilTaken(receivers, before + quiet.length + troubled.length);
  const settling = {
    quiet: await readSettlingDelays(stand, quiet),
    troubled: await readSettlingDelays(stand, troubled),
  };
  return ({ firstMs, faults }) => {
    const delaysOf = (told: readonly Told[], fromSettlingMs: Percentiles): Delays => ({
      deliveries: told.length,
      fromNotificationMs: percentilesOf(
        told.flatMap(({ event, toldMs }) => {
          const first = firstMs.get(event);
          return first === undefined ? [] : [first - toldMs];
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

type Told = ToldPayment & { readonly toldMs: number };

/** Returns the payments with healthy endpoints, and when each was notified. */
async function tellAtTheirTimes(
  { gateway, files, told }: Scene,
  name: string,
  perSecond: number,
): Promise<Told[]> {
  const pool = new Pool(gateway.origin, { connections, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  const toldMs = new Map<string, number>();
  const refused: number[] = [];
  await sendAtTheirTimes(fileOf(files, name), perSecond, async (body) => {
    toldMs.set(txidOfNotice(body), monotonicMs());
    const answer = await pool.request({ path: gateway.noticePath, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) refused.push(answer.statusCode);
  });
  await pool.close();
  if (refused.length > 0) throw new Error(`${name}: ${refused.length} answers ${refused[0]}`);
  return (told.get(name) ?? []).flatMap((payment) => {
    const at = toldMs.get(payment.txid);
    return at === undefined || payment.behaviour !== 'well' ? [] : [{ ...payment, toldMs: at }];
  });
}

async function readSettlingDelays({ pool }: Stand, told: readonly Told[]): Promise<Percentiles> {
  const { rows } = await pool.query<{ milliseconds: number }>(
    `select extract(epoch from attempt.at - event.created_at)::float8 * 1000 as milliseconds
     from webhook_attempts attempt
     join events event
       on event.merchant_id = attempt.merchant_id and event.id = split_part(attempt.delivery_id, '.', 1)
     where attempt.number = 1 and event.id = any($1)`,
    [told.map(({ event }) => event)],
  );
  return percentilesOf(rows.map(({ milliseconds }) => milliseconds));
}
