import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from './figures.ts';
import { fileOf } from './file-of.ts';
import { type Measured, measureFigure } from './measure-figure.ts';
import type { ReceivingPlan } from './options.ts';
import type { WantedWork } from './prepare-round.ts';
import type { BenchGateway, Stand } from './stand.ts';

const patienceMs = 30_000;

/**
 * The work before a figure: enough to compile hot code, open connections and create webhook secrets, as after the first
 * minute of a day. With a silent receiver, the webhooks of the first payments occupy all of the sender's slots and hang
 * until the figure ends.
 */
export function warmUpsFor(work: Work, { warmUp: { payments, charges } }: ReceivingPlan): WantedWork[] {
  const receiver = work.kind === 'settle' ? work.receiver : 'silent';
  const settle = { kind: 'settle', connections: 16, merchants: 'many', receiver } as const;
  return [
    { ...settle, name: `${work.name}-warm-up-one`, perNotice: 1, count: payments },
    { ...settle, name: `${work.name}-warm-up-hundred`, perNotice: 100, count: payments },
    { kind: 'create', name: `${work.name}-warm-up-create`, connections: 16, picture: true, count: charges },
  ];
}

export async function warmUp(
  stand: Stand,
  gateway: BenchGateway,
  work: Work,
  files: ReadonlyMap<string, string>,
  plan: ReceivingPlan,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const one of warmUpsFor(work, plan))
    measured.push(await measureFigure(stand, gateway, one, fileOf(files, one.name), plan.warmUp.seconds));
  if (work.kind === 'settle' && work.receiver === 'prompt') await untilDelivered(stand, measured);
  return measured;
}

/** Waits until the webhooks of the warm-up are done; a stalled sender will show in its figure. */
async function untilDelivered(stand: Stand, measured: readonly Measured[]): Promise<void> {
  const wanted = measured.reduce(
    (sum, { kind, acknowledged }) => sum + (kind === 'settle' ? acknowledged : 0),
    0,
  );
  const deadline = performance.now() + patienceMs;
  while ((await stand.countDelivered()) < wanted && performance.now() < deadline) await pause(50);
}
