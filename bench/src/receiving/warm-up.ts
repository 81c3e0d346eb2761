import { setTimeout as sleep } from 'node:timers/promises';
import type { Work } from './figures.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import { type PlannedWork, preparedFileOf } from './prepare-round.ts';
import type { BenchGateway, TestRig } from './test-rig.ts';

const deliveryTimeoutMs = 30_000;

/**
 * Returns the work that warms up the gateway before a figure: enough to compile hot code, open connections and create
 * webhook secrets. If the figure's receiver of webhooks never responds (`silent`), the webhooks of the warm-up occupy
 * all slots of the sender and hang until the figure ends, so that no webhooks are sent during the figure.
 */
export function warmUpsFor(work: Work, { warmUp: { payments, charges } }: ReceivingPlan): PlannedWork[] {
  const receiver = work.kind === 'settle' ? work.receiver : 'silent';
  const settle = { kind: 'settle', connections: 16, merchants: 'many', receiver } as const;
  return [
    { ...settle, name: `${work.name}-warm-up-one`, paymentsPerNotification: 1, count: payments },
    { ...settle, name: `${work.name}-warm-up-hundred`, paymentsPerNotification: 100, count: payments },
    { kind: 'create', name: `${work.name}-warm-up-create`, connections: 16, picture: true, count: charges },
  ];
}

/** Runs the warm-up of a figure. Returns its measurements, whose payments belong to the round's books. */
export async function warmUp(
  rig: TestRig,
  gateway: BenchGateway,
  work: Work,
  files: ReadonlyMap<string, string>,
  plan: ReceivingPlan,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const warmUpWork of warmUpsFor(work, plan)) {
    const file = preparedFileOf(files, warmUpWork.name);
    measured.push(await measureFigure(rig, gateway, warmUpWork, file, plan.warmUp.seconds));
  }
  if (work.kind === 'settle' && work.receiver === 'prompt') await waitUntilDelivered(rig, measured);
  return measured;
}

/** Waits until the webhooks of the warm-up are delivered. If the sender stalls, the figure will show it. */
async function waitUntilDelivered(rig: TestRig, measured: readonly Measured[]): Promise<void> {
  const expected = measured.reduce(
    (sum, { kind, acknowledged }) => sum + (kind === 'settle' ? acknowledged : 0),
    0,
  );
  const deadline = performance.now() + deliveryTimeoutMs;
  while ((await rig.countDelivered()) < expected && performance.now() < deadline) await sleep(50);
}

const breakerOpenMs = 600_000;

/**
 * Opens the circuit breaker of the silent receiver for ten minutes, as the sender itself does after timeouts.
 * Deliveries left over from other figures then do not delay the deliveries to the receiver that responds.
 */
export async function openSilentReceiverBreaker({ pool, bank, callbackUrls }: TestRig): Promise<void> {
  const openUntil = new Date((await bank.now()).getTime() + breakerOpenMs);
  await pool.query(
    `insert into webhook_health (merchant_id, receiver, timeouts, paused_until)
     select id, $1, 7, $2 from users where id > 0
     on conflict (merchant_id, receiver) do update set timeouts = excluded.timeouts, paused_until = excluded.paused_until`,
    [new URL(callbackUrls.silent).origin, openUntil],
  );
}
