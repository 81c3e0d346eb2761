import { figures } from './figures.ts';

/** How long what takes, and how often. */
export type Plan = {
  readonly quick: boolean;
  readonly controlSeconds: number;
  readonly figureSeconds: number;
  /** Valid rounds that are wanted, and rounds that are tried at most. */
  readonly rounds: number;
  readonly mostRounds: number;
  /** No round begins later than this after the start. */
  readonly lastRoundSeconds: number;
  readonly lonePayments: number;
  readonly overloadSeconds: number;
};

export type Options = {
  readonly plan: Plan;
  /** Names of what is measured; undefined: everything. */
  readonly only: readonly string[] | undefined;
  readonly profile: string | undefined;
};

export const LONE_PAYMENT = 'lone-payment';
export const OVERLOAD = 'overload';

const full: Plan = {
  quick: false,
  controlSeconds: 8,
  figureSeconds: 6,
  rounds: 3,
  mostRounds: 6,
  lastRoundSeconds: 480,
  lonePayments: 200,
  overloadSeconds: 5,
};
const quick: Plan = {
  quick: true,
  controlSeconds: 5,
  figureSeconds: 4,
  rounds: 1,
  mostRounds: 1,
  lastRoundSeconds: 0,
  lonePayments: 100,
  overloadSeconds: 3,
};

const names = [...figures.map(({ name }) => name), LONE_PAYMENT, OVERLOAD];

/** `--quick`, `--only NAME,NAME`, `--profile FOLDER`. @throws for anything else */
export function readOptions(args: readonly string[]): Options {
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
