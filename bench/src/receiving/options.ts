import { figures } from './figures.ts';
import type { PgbenchLength } from './pgbench.ts';

/** Durations and repetitions. */
export type ReceivingPlan = {
  readonly quick: boolean;
  /** pgbench's scale: 100,000 accounts for each unit. */
  readonly pgbenchScale: number;
  /** The length of one slice of the control. */
  readonly control: PgbenchLength;
  readonly figureSeconds: number;
  /** The required valid measurements of each figure, and the maximum number of rounds. */
  readonly rounds: number;
  readonly mostRounds: number;
  /** No round starts later than this after the run's start. */
  readonly lastRoundSeconds: number;
  readonly lonePayments: number;
  readonly overloadSeconds: number;
  /** Concurrent callers of each crowd, in order. */
  readonly crowds: readonly number[];
  readonly merchants: number;
  /** Payments, in multiples of 100, since some notifications carry a hundred. */
  readonly warmUp: { readonly seconds: number; readonly payments: number; readonly charges: number };
  /** Payments or charges of each figure and crowd, at least one notification; undefined: more than fit in the time. */
  readonly calls: number | undefined;
  /** Uses one gateway for everything, which is enough for counts; times need one per figure. */
  readonly together: boolean;
};

export type ReceivingOptions = {
  readonly plan: ReceivingPlan;
  /** The names of the figures to measure; undefined: all. */
  readonly only: readonly string[] | undefined;
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
/** A little of everything, sent to the end however long it takes: for counts, not for times. */
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

/** `--quick`, `--only NAME,NAME`, `--profile FOLDER`. @throws for anything else */
export function readOptions(args: readonly string[]): ReceivingOptions {
  let plan = full;
  let only: string[] | undefined;
  let profile: string | undefined;
  const given = args.values();
  for (const option of given) {
    const value = () => given.next().value ?? refuse(`${option} needs a value.`);
    if (option === '--quick') plan = quick;
    else if (option === '--only') only = value().split(',').map(known);
    else if (option === '--profile') profile = value();
    else refuse(`Unknown option ${option}. There are --quick, --only NAME,NAME and --profile FOLDER.`);
  }
  return { plan, only, profile };
}

function known(name: string): string {
  return names.includes(name) ? name : refuse(`Nothing is called ${name}. There are: ${names.join(', ')}`);
}

function refuse(reason: string): never {
  throw new Error(reason);
}
