import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadReport } from '../receiving/load-protocol.ts';
import { type Measured, measureFigure } from '../receiving/measure-figure.ts';
import { preparedFileOf } from '../receiving/prepare-round.ts';
import type { BenchGateway, TestRig } from '../receiving/test-rig.ts';
import { countAcknowledged, verifyRound } from '../receiving/verify-round.ts';
import { createWork, settleWork, startSettledIn } from './measure-size.ts';
import type { ConnectionsPlan, HangingPlan } from './options.ts';
import { makeOwnAccounts, type OwnAccount } from './own-accounts.ts';
import { prepareOwnPayments, writeOwnCreations } from './own-payments.ts';

/** The others, measured once: payments settled, then charges created. */
export type OthersMeasured = { readonly settled: Measured; readonly created: Measured };

/** The service that accounts get whose banks answer: alone, and while the bank of one more account never answers. */
export type HangingResult = {
  readonly accounts: number;
  readonly alone: readonly OthersMeasured[];
  readonly beside: readonly (OthersMeasured & {
    /** The calls that were made at the account that hangs meanwhile. */
    readonly hangs: { readonly notices: number; readonly refusedCharges: number };
  })[];
  readonly faults: readonly string[];
};

const warmUpSeconds = 300;
/** The creations are more than the gateway has connections for them at one account of a merchant's own. */
const hangingConnections = { notices: 2, creations: 8 };
/** Each connection pauses for this long between two calls to the account that hangs. */
const hangingPauseMs = 20;
const hangingJobSeconds = 600;

type Plan = ConnectionsPlan & { readonly hanging: HangingPlan };

export async function measureHanging(rig: TestRig, plan: Plan): Promise<HangingResult> {
  const { accounts: count, slices: sliceCount } = plan.hanging;
  const accounts = await makeOwnAccounts(rig, count + 1);
  const [others, hanging] = [accounts.slice(0, count), accounts.slice(count)];
  const names = Array.from({ length: sliceCount }, (_, nth) => [`alone-${nth}`, `beside-${nth}`]).flat();
  const files = await prepareCalls(rig, plan, { names, others, hanging });
  for (const { bankAccount } of hanging)
    await rig.bank.behave(bankAccount, { charges: 'hang', confirmations: 'hang' });
  const sharedGateway = plan.together ? await startSettledIn(rig) : undefined;
  const measured: Slice[] = [];
  for (const name of names) {
    const gateway = sharedGateway ?? (await startSettledIn(rig));
    measured.push(await measureSlice({ rig, gateway, plan, files }, name));
    if (sharedGateway === undefined) await kill(gateway);
    await forgetNotices(rig, hanging);
  }
  if (sharedGateway !== undefined) await kill(sharedGateway);
  await forgetNotices(rig, hanging);
  const all = measured.flatMap(({ warmedUp, settled, created }) => [...warmedUp, settled, created]);
  return {
    accounts: count,
    alone: measured
      .filter(({ hangs }) => hangs === undefined)
      .map(({ settled, created }) => ({ settled, created })),
    beside: measured.flatMap(({ settled, created, hangs }) => (hangs ? [{ settled, created, hangs }] : [])),
    faults: [
      ...measured.flatMap(({ faults }) => faults),
      ...all.flatMap(({ faults }) => faults),
      ...(await verifyRound(rig, countAcknowledged(all))),
    ],
  };
}

type Slice = OthersMeasured & {
  readonly warmedUp: readonly Measured[];
  readonly hangs: HangingResult['beside'][number]['hangs'] | undefined;
  readonly faults: readonly string[];
};

type Accounts = {
  readonly names: readonly string[];
  readonly others: readonly OwnAccount[];
  readonly hanging: readonly OwnAccount[];
};

/** Prepares the calls of all slices, and those to the account that hangs, which every slice beside it sends anew. */
async function prepareCalls(
  rig: TestRig,
  { warmUpPayments, hanging: { payments, charges, warmUpCharges, calls } }: Plan,
  { names, others, hanging }: Accounts,
): Promise<ReadonlyMap<string, string>> {
  const notices = await prepareOwnPayments(rig, [
    ...names.flatMap((name) => [
      { name: `${name}-warm-up`, count: Math.max(warmUpPayments, 2 * others.length), accounts: others },
      { name, count: payments, accounts: others },
    ]),
    { name: 'hanging', count: calls, accounts: hanging },
  ]);
  const files = new Map(notices);
  const creations = [
    { name: 'create', count: charges, accounts: others },
    { name: 'create-warm-up', count: warmUpCharges, accounts: others },
    { name: 'create-hanging', count: calls, accounts: hanging },
  ];
  for (const group of creations) files.set(group.name, writeOwnCreations(rig, group));
  return files;
}

type Slicing = {
  readonly rig: TestRig;
  readonly gateway: BenchGateway;
  readonly plan: Plan;
  readonly files: ReadonlyMap<string, string>;
};

async function measureSlice({ rig, gateway, plan, files }: Slicing, name: string): Promise<Slice> {
  const settle = (name: string, seconds: number) =>
    measureFigure(rig, gateway, { ...settleWork, name }, preparedFileOf(files, name), seconds);
  const create = (name: string, seconds: number) =>
    measureFigure(rig, gateway, { ...createWork, name }, preparedFileOf(files, name), seconds);
  const calls = name.startsWith('beside') ? startCallsToHanging(rig, gateway, files) : undefined;
  const leadEndsMs = performance.now() + plan.hanging.leadSeconds * 1000;
  const warmedUp = [
    await settle(`${name}-warm-up`, warmUpSeconds),
    await create('create-warm-up', warmUpSeconds),
  ];
  // Also alone, because a gateway is slower soon after its start.
  await sleep(Math.max(0, leadEndsMs - performance.now()));
  const settled = await settle(name, plan.sliceSeconds);
  const created = await create('create', plan.sliceSeconds);
  const { faults = [], ...hangs } = (await calls?.stop(plan.hanging.calls)) ?? {};
  return { warmedUp, settled, created, faults, hangs: calls && { notices: 0, refusedCharges: 0, ...hangs } };
}

/** Sends notices and creations to the account that hangs, until they are stopped. */
function startCallsToHanging(
  { load }: TestRig,
  { origin, noticePath }: BenchGateway,
  files: ReadonlyMap<string, string>,
) {
  const start = (path: string, name: string, connections: number) =>
    load.start({
      origin,
      path,
      file: preparedFileOf(files, name),
      connections,
      seconds: hangingJobSeconds,
      pauseMs: hangingPauseMs,
    });
  const notices = start(noticePath, 'hanging', hangingConnections.notices);
  const creations = start('/api/pix/new', 'create-hanging', hangingConnections.creations);
  return {
    async stop(prepared: number) {
      const [told, asked] = [await notices.stop(), await creations.stop()];
      const faults = [
        ...faultsAtHanging('notices', told, '200', prepared),
        // The status of a charge that the bank did not confirm.
        ...faultsAtHanging('creations', asked, '500', prepared),
      ];
      return { notices: told.byStatus['200'] ?? 0, refusedCharges: asked.byStatus['500'] ?? 0, faults };
    },
  };
}

function faultsAtHanging(
  kind: string,
  { sent, byStatus, failures }: LoadReport,
  expectedStatus: string,
  prepared: number,
): string[] {
  const unexpected = Object.entries(byStatus).filter(([status]) => status !== expectedStatus);
  return [
    ...unexpected.map(([status, count]) => `${kind} at the account that hangs: ${count} answers ${status}`),
    ...(failures > 0 ? [`${kind} at the account that hangs: ${failures} without an answer`] : []),
    ...(sent === 0 || sent >= prepared
      ? [`${kind} at the account that hangs: ${sent} sent, not all the time`]
      : []),
  ];
}

/** Ends a gateway at once: a graceful end would wait for the calls to the bank that hangs. */
async function kill({ process, stop }: BenchGateway): Promise<void> {
  process.child.kill('SIGKILL');
  await stop();
}

/** Deletes the notices that cannot be confirmed, so that the next slice begins without them. */
async function forgetNotices({ pool }: TestRig, hanging: readonly OwnAccount[]): Promise<void> {
  await pool.query('delete from psp_inbox where connection_id = any($1)', [
    hanging.map(({ connectionId }) => connectionId),
  ]);
}
