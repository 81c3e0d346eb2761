/** The amount of work of a run. It is stored with the results. */
export type ConnectionsPlan = {
  readonly quick: boolean;
  /** The numbers of accounts of merchants' own that are measured. */
  readonly sizes: readonly number[];
  /** How long the gateway is left alone: counted are the calls to banks and the transactions of this time. */
  readonly restSeconds: number;
  /** How often each settle rate is measured: at one account, then at all, in turn. */
  readonly slices: number;
  /** No payment or charge of a slice is sent later than this after its start. */
  readonly sliceSeconds: number;
  /** The payments of a slice, at one account and at all. A slice that has sent them ends before its time. */
  readonly payments: { readonly one: number; readonly all: number };
  /** The payments of the warm-up before each slice; at least one for each account. */
  readonly warmUpPayments: number;
  /** How others are measured beside an account whose bank never answers; undefined if that is left out. */
  readonly hanging: HangingPlan | undefined;
  /**
   * Whether one gateway serves all measurements of a size. That is enough for counts; for times, each slice has a
   * gateway of its own.
   */
  readonly together: boolean;
};

export type HangingPlan = {
  /** The accounts whose banks answer. */
  readonly accounts: number;
  /** How often the others are measured alone, and beside the account whose bank never answers. */
  readonly slices: number;
  readonly payments: number;
  readonly charges: number;
  readonly warmUpCharges: number;
  /**
   * The others are measured this long after the first notices and creations at the account that hangs, so that these have
   * timed out; alone, this long after the start of the gateway.
   */
  readonly leadSeconds: number;
  /** The notices and the creations at the account that hangs: more than are sent in a slice. */
  readonly calls: number;
};

const full: ConnectionsPlan & { readonly hanging: HangingPlan } = {
  quick: false,
  sizes: [1, 100, 1000],
  restSeconds: 60,
  slices: 2,
  sliceSeconds: 5,
  payments: { one: 12_000, all: 8000 },
  warmUpPayments: 2000,
  hanging: {
    accounts: 100,
    slices: 2,
    payments: 8000,
    charges: 6000,
    warmUpCharges: 400,
    leadSeconds: 12,
    calls: 4000,
  },
  together: false,
};
const quick: ConnectionsPlan = {
  ...full,
  quick: true,
  restSeconds: 20,
  slices: 1,
  sliceSeconds: 3,
  payments: { one: 7000, all: 5000 },
  warmUpPayments: 1000,
  hanging: { ...full.hanging, slices: 1, payments: 5000, charges: 4000 },
};
/** A few payments and charges at three accounts, all of which are sent: this plan is for counts, not for times. */
export const smallPlan: ConnectionsPlan = {
  ...quick,
  sizes: [3],
  restSeconds: 0.5,
  sliceSeconds: 300,
  payments: { one: 20, all: 20 },
  warmUpPayments: 6,
  hanging: {
    accounts: 3,
    slices: 1,
    payments: 20,
    charges: 10,
    warmUpCharges: 3,
    leadSeconds: 0.2,
    calls: 1000,
  },
  together: true,
};

export type ConnectionsOptions = {
  readonly plan: ConnectionsPlan;
  /** Whether only a part is measured. */
  readonly isPart: boolean;
};

/** The name of the part in which the bank of one account never answers. */
const HANGING = 'hanging';

/**
 * Reads the options `--quick` and `--only NAME,NAME`.
 * @throws for any other option
 */
export function readConnectionsOptions(args: readonly string[]): ConnectionsOptions {
  let plan: ConnectionsPlan = full;
  let only: readonly string[] | undefined;
  const remaining = args.values();
  for (const option of remaining) {
    if (option === '--quick') plan = quick;
    else if (option === '--only') only = remaining.next().value?.split(',');
    else throw new Error(`Unknown option ${option}. There are --quick and --only NAME,NAME.`);
  }
  if (only === undefined) return { plan, isPart: false };
  const names = [...full.sizes.map(String), HANGING];
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`Nothing is called ${unknown}. There are: ${names.join(', ')}`);
  const sizes = plan.sizes.filter((size) => only.includes(String(size)));
  return { plan: { ...plan, sizes, ...(!only.includes(HANGING) && { hanging: undefined }) }, isPart: true };
}
