/** How much is measured. */
export type Plan = {
  readonly quick: boolean;
  readonly deliveries: number;
  readonly controlSeconds: number;
  readonly delayRounds: number;
  readonly delaySeconds: number;
};

export type Options = { readonly plan: Plan; readonly profile: string | undefined };

const full: Plan = {
  quick: false,
  deliveries: 100_000,
  controlSeconds: 8,
  delayRounds: 3,
  delaySeconds: 15,
};
const quick: Plan = {
  quick: true,
  deliveries: 10_000,
  controlSeconds: 5,
  delayRounds: 1,
  delaySeconds: 6,
};

/** `--quick`, `--profile FOLDER`. @throws for anything else */
export function readOptions(args: readonly string[]): Options {
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
