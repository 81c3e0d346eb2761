import { figures } from './figures.ts';
import type { PgbenchLength } from './pgbench.ts';

/** The durations and repetitions of a run. They are stored with its results. */
export type ReceivingPlan = {
  readonly quick: boolean;
  /** pgbench's scale: 100,000 accounts for each unit. */
  readonly pgbenchScale: number;
  /**
   * The length of one run of pgbench. These runs between the figures are the control: they show the machine's speed.
   */
  readonly control: PgbenchLength;
  readonly figureSeconds: number;
  /** The number of valid measurements that each figure needs. */
  readonly rounds: number;
  /** The maximum number of rounds. It is higher than `rounds`, because some measurements may be invalid. */
  readonly mostRounds: number;
  /** No round starts later than this after the run's start. */
  readonly lastRoundSeconds: number;
  readonly lonePayments: number;
  readonly overloadSeconds: number;
  /** Overload is measured with crowds of these sizes (numbers of simultaneous callers), one after the other. */
  readonly crowds: readonly number[];
  readonly merchants: number;
  /** `payments` is a multiple of 100, since some notifications report a hundred payments. */
  readonly warmUp: { readonly seconds: number; readonly payments: number; readonly charges: number };
  /**
   * The number of payments or charges to prepare for each figure and each crowd, raised where one notification reports
   * more payments. If undefined, more are prepared than the gateway can process in the time.
   */
  readonly calls: number | undefined;
  /**
   * Whether one gateway serves all measurements. That is enough for counts; for times, each figure has a gateway of
   * its own.
   */
  readonly together: boolean;
};

export type ReceivingOptions = {
  readonly plan: ReceivingPlan;
  /** The names of the figures to measure; undefined means all. */
  readonly only: readonly string[] | undefined;
  /** The folder for CPU profiles of the gateway; undefined means none. */
  readonly profile: string | undefined;
};

export const LONE_PAYMENT = 'lone-payment';
export const OVERLOAD = 'overload';

const full: ReceivingPlan = {
  quick: false,
  pgbenchScale: 50,
  control: { seconds: 4 },
  figureSeconds: 6,
  rounds: 3,
  mostRounds: 6,
  lastRoundSeconds: 480,
  lonePayments: 200,
  overloadSeconds: 5,
  crowds: [64, 128, 256, 512],
  merchants: 1000,
  warmUp: { seconds: 2, payments: 4000, charges: 1500 },
  calls: undefined,
  together: false,
};
const quick: ReceivingPlan = {
  ...full,
  quick: true,
  control: { seconds: 3 },
  figureSeconds: 4,
  rounds: 1,
  mostRounds: 1,
  lastRoundSeconds: 0,
  lonePayments: 100,
  overloadSeconds: 3,
};
/**
 * A few payments or charges for every measurement. All of them are sent, however long that takes: this plan is for
 * counts, not for times.
 */
export const smallPlan: ReceivingPlan = {
  ...quick,
  pgbenchScale: 1,
  control: { transactions: 1 },
  figureSeconds: 300,
  lonePayments: 3,
  overloadSeconds: 300,
  crowds: [8],
  merchants: 10,
  warmUp: { seconds: 300, payments: 100, charges: 5 },
  calls: 20,
  together: true,
};

const names = [...figures.map(({ name }) => name), LONE_PAYMENT, OVERLOAD];

/**
 * Reads the options `--quick`, `--only NAME,NAME` and `--profile FOLDER`.
 * @throws for any other option
 */
export function readOptions(args: readonly string[]): ReceivingOptions {
  let plan = full;
  let only: string[] | undefined;
  let profile: string | undefined;
  const remaining = args.values();
  for (const option of remaining) {
    const value = () => remaining.next().value ?? refuse(`${option} needs a value.`);
    if (option === '--quick') plan = quick;
    else if (option === '--only') only = value().split(',').map(requireKnown);
    else if (option === '--profile') profile = value();
    else refuse(`Unknown option ${option}. There are --quick, --only NAME,NAME and --profile FOLDER.`);
  }
  return { plan, only, profile };
}

function requireKnown(name: string): string {
  return names.includes(name) ? name : refuse(`Nothing is called ${name}. There are: ${names.join(', ')}`);
}

function refuse(reason: string): never {
  throw new Error(reason);
}
