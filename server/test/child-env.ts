/** What a program of ours takes from the environment of the tests: where programs lie, and what was compiled before. */
export const childEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name] ?? '']),
);
