import type { PgbenchLength } from '../receiving/pgbench.ts';

/** The amount of work. */
export type WebhookBenchPlan = {
  readonly quick: boolean;
  /** The number of endpoints, a multiple of 20; some fail and hang. */
  readonly endpoints: number;
  /** Payments, in multiples of 100, since notifications carry a hundred. */
  readonly warmUp: number;
  /** Also in multiples of 100. */
  readonly deliveries: number;
  readonly pgbenchScale: number;
  readonly control: PgbenchLength;
  readonly delayRounds: number;
  readonly delaySeconds: number;
  /** Per half of a round; undefined: as many as fit in the time. */
  readonly delayPayments: number | undefined;
  /** Uses one gateway for everything, which is enough for counts; times need one per round. */
  readonly together: boolean;
};

export type WebhookBenchOptions = { readonly plan: WebhookBenchPlan; readonly profile: string | undefined };

const full: WebhookBenchPlan = {
  quick: false,
  endpoints: 1000,
  warmUp: 4000,
  deliveries: 100_000,
  pgbenchScale: 50,
  control: { seconds: 8 },
  delayRounds: 3,
  delaySeconds: 15,
  delayPayments: undefined,
  together: false,
};
const quick: WebhookBenchPlan = {
  ...full,
  quick: true,
  deliveries: 10_000,
  control: { seconds: 5 },
  delayRounds: 1,
  delaySeconds: 6,
};
/** A few deliveries to each of twenty endpoints, of which one hangs and one fails. */
export const smallPlan: WebhookBenchPlan = {
  ...quick,
  endpoints: 20,
  warmUp: 100,
  deliveries: 100,
  pgbenchScale: 1,
  control: { transactions: 1 },
  delayPayments: 20,
  together: true,
};

/** `--quick`, `--profile FOLDER`. @throws for anything else */
export function readOptions(args: readonly string[]): WebhookBenchOptions {
  let plan = full;
  let profile: string | undefined;
  const given = args.values();
  for (const option of given) {
    if (option === '--quick') plan = quick;
    else if (option === '--profile') profile = given.next().value ?? refuse('--profile needs a folder.');
    else refuse(`Unknown option ${option}. There are --quick and --profile FOLDER.`);
  }
  return { plan, profile };
}

function refuse(reason: string): never {
  throw new Error(reason);
}
