import { figures } from './figures.ts';
import type { PgbenchLength } from './pgbench.ts';

/** How long what takes, and how often. */
export type ReceivingPlan = {
  readonly quick: boolean;
  /** The tables of the control: 100,000 accounts for each one. */
  readonly pgbenchScale: number;
  /** One slice of the control. */
  readonly control: PgbenchLength;
  readonly figureSeconds: number;
  /** How often each figure has to count, and rounds that are tried at most. */
  readonly rounds: number;
  readonly mostRounds: number;
  /** No round begins later than this after the start. */
  readonly lastRoundSeconds: number;
  readonly lonePayments: number;
  readonly overloadSeconds: number;
  /** Callers at once, one crowd after another. */
  readonly crowds: readonly number[];
  readonly merchants: number;
  /** Payments in whole hundreds, as they are told of by the hundred too. */
  readonly warmUp: { readonly seconds: number; readonly payments: number; readonly charges: number };
  /** Payments or charges of each figure and crowd, one notification at least; undefined: more than can be done in the time. */
  readonly calls: number | undefined;
  /** Everything by one gateway, for counts: times want a gateway for each figure. */
  readonly together: boolean;
};

export type ReceivingOptions = {
  readonly plan: ReceivingPlan;
  /** Names of what is measured; undefined: everything. */
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
/** Some of everything, told to its end however long that takes: for counts, not for times. */
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
