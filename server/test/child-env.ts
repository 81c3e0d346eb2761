import { clockOf } from '../../tools/test-moment.ts';

/** What a program of ours takes from the environment of the tests: where programs lie, what was compiled before, the clock. */
export const childEnv: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['PATH', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name] ?? ''])),
  ...clockOf(process.env),
};
