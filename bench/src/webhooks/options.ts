import type { PgbenchLength } from '../receiving/pgbench.ts';

/** The amount of work of a run. It is stored with the results. */
export type WebhookBenchPlan = {
  readonly quick: boolean;
  /** The number of endpoints, a multiple of 20. Some of them fail and hang. */
  readonly endpoints: number;
  /** The payments of each half of the warm-up, a multiple of 100, since some notifications report a hundred. */
  readonly warmUp: number;
  /** The payments for the measurement of throughput, a multiple of 100. */
  readonly deliveries: number;
  readonly pgbenchScale: number;
  /** The length of each run of the control, which is pgbench before and after the measurement of throughput. */
  readonly control: PgbenchLength;
  readonly delayRounds: number;
  readonly delaySeconds: number;
  /** The payments in each half of a round that measures delays; undefined means as many as fit in `delaySeconds`. */
  readonly delayPayments: number | undefined;
  /**
   * Whether one gateway serves all measurements. That is enough for counts; for times, each round has a gateway of
   * its own.
   */
  readonly together: boolean;
};

export type WebhookBenchOptions = {
  readonly plan: WebhookBenchPlan;
  /** The folder for CPU profiles of the gateway; undefined means none. */
  readonly profile: string | undefined;
};

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

/**
 * Reads the options `--quick` and `--profile FOLDER`.
 * @throws for any other option
 */
export function readOptions(args: readonly string[]): WebhookBenchOptions {
  let plan = full;
  let profile: string | undefined;
  const remaining = args.values();
  for (const option of remaining) {
    if (option === '--quick') plan = quick;
    else if (option === '--profile') profile = remaining.next().value ?? refuse('--profile needs a folder.');
    else refuse(`Unknown option ${option}. There are --quick and --profile FOLDER.`);
  }
  return { plan, profile };
}

function refuse(reason: string): never {
  throw new Error(reason);
}
