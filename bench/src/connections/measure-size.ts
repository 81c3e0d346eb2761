import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCharge } from '../receiving/make-charges.ts';
import { type Measured, measureFigure } from '../receiving/measure-figure.ts';
import { CREATED_CHARGE_EXPIRY_SECONDS, preparedFileOf } from '../receiving/prepare-round.ts';
import type { BenchGateway, TestRig } from '../receiving/test-rig.ts';
import { countAcknowledged, verifyRound } from '../receiving/verify-round.ts';
import { measureRest, type Rest, residentMib } from './measure-rest.ts';
import type { ConnectionsPlan } from './options.ts';
import { makeOwnAccounts, type OwnAccount, settleIn } from './own-accounts.ts';
import { type OwnPayments, payOwnCharges, prepareOwnPayments, writeOwnCreations } from './own-payments.ts';

/** The cost of this number of own accounts. */
export type SizeResult = {
  readonly accounts: number;
  readonly rest: Rest;
  /** The memory of the gateway after a charge was created and paid at each account. */
  readonly usedMib: number;
  /** Settling payments at a single one of the accounts, and at all of them; empty if there is only one. */
  readonly one: readonly Measured[];
  readonly all: readonly Measured[];
  readonly faults: readonly string[];
};

export const settleWork = {
  kind: 'settle',
  paymentsPerNotification: 1,
  connections: 64,
  merchants: 'many',
  receiver: 'silent',
} as const;
export const createWork = { kind: 'create', connections: 64, picture: false } as const;

/** How long the gateway is left alone after each account was used, before its memory is read. */
const afterUseMs = 2000;
const useSeconds = 300;

export async function measureSize(rig: TestRig, count: number, plan: ConnectionsPlan): Promise<SizeResult> {
  const accounts = await makeOwnAccounts(rig, count);
  const slices = slicesOf(accounts, plan);
  const prepare = () =>
    prepareOwnPayments(
      rig,
      slices.flatMap(({ warmUp, payments }) => [warmUp, payments]),
    );
  const preparedBefore = plan.together ? await prepare() : undefined;
  await settleIn(rig, { withDaily: !plan.together });
  const firstGateway = await rig.startGateway();
  const rest = await measureRest(rig, firstGateway, plan.restSeconds);
  const used = await useEach(rig, firstGateway, accounts);
  await sleep(Math.min(afterUseMs, plan.restSeconds * 1000));
  const usedMib = residentMib(firstGateway.process.pid);
  if (!plan.together) await firstGateway.stop();

  const files = preparedBefore ?? (await prepare());
  const measured: { of: Slice['of']; warmedUp: Measured; slice: Measured }[] = [];
  for (const { of, warmUp, payments } of slices) {
    const gateway = plan.together ? firstGateway : await startSettledIn(rig);
    const settle = ({ name }: OwnPayments, seconds: number) =>
      measureFigure(rig, gateway, { ...settleWork, name }, preparedFileOf(files, name), seconds);
    measured.push({
      of,
      warmedUp: await settle(warmUp, useSeconds),
      slice: await settle(payments, plan.sliceSeconds),
    });
    if (!plan.together) await gateway.stop();
  }
  await firstGateway.stop();
  const all = [...used, ...measured.flatMap(({ warmedUp, slice }) => [warmedUp, slice])];
  const resultsOf = (wanted: Slice['of']) =>
    measured.filter(({ of }) => of === wanted).map(({ slice }) => slice);
  return {
    accounts: count,
    rest,
    usedMib,
    one: resultsOf('one'),
    all: resultsOf('all'),
    faults: [...all.flatMap(({ faults }) => faults), ...(await verifyRound(rig, countAcknowledged(all)))],
  };
}

/** Starts a gateway that has known the accounts for long. */
export async function startSettledIn(rig: TestRig): Promise<BenchGateway> {
  await settleIn(rig, { withDaily: false });
  return rig.startGateway();
}

type Slice = {
  readonly of: 'one' | 'all';
  readonly warmUp: OwnPayments;
  readonly payments: OwnPayments;
};

/** The slices in their order: at one account and at all, in turn. */
function slicesOf(accounts: readonly OwnAccount[], plan: ConnectionsPlan): Slice[] {
  const kinds = accounts.length > 1 ? (['one', 'all'] as const) : (['one'] as const);
  return Array.from({ length: plan.slices }, (_, nth) =>
    kinds.map((of) => {
      const used = of === 'one' ? accounts.slice(0, 1) : accounts;
      const warmUpCount = Math.max(plan.warmUpPayments, 2 * used.length);
      return {
        of,
        warmUp: { name: `${of}-${nth}-warm-up`, count: warmUpCount, accounts: used },
        payments: { name: `${of}-${nth}`, count: plan.payments[of], accounts: used },
      };
    }),
  ).flat();
}

/** Creates a charge at each account, pays it, and notifies the gateway. */
async function useEach(
  rig: TestRig,
  gateway: BenchGateway,
  accounts: readonly OwnAccount[],
): Promise<Measured[]> {
  const name = 'use-each';
  const file = writeOwnCreations(rig, { name: `${name}-create`, count: accounts.length, accounts });
  const created = await measureFigure(rig, gateway, { ...createWork, name }, file, useSeconds);
  const { rows: charges } = await rig.pool.query<BenchCharge>(
    `select id, merchant_id as "merchantId", txid, amount_cents as "amountCents" from charges
     where status = 'pending' and expires_at - created_at = $1 * interval '1 second'`,
    [CREATED_CHARGE_EXPIRY_SECONDS],
  );
  const files = await payOwnCharges(rig, accounts, new Map([[name, charges]]));
  const settled = await measureFigure(
    rig,
    gateway,
    { ...settleWork, name },
    preparedFileOf(files, name),
    useSeconds,
  );
  return [created, settled];
}
