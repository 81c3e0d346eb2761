import { copyClockVariables } from '../../tools/test-moment.ts';

/** The part of the tests' environment that our programs need: the path, compiled caches, and the test clock. */
export const childEnv: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['PATH', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name] ?? ''])),
  ...copyClockVariables(process.env),
};
