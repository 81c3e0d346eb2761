import { SEEDED_DATA, startStack } from './stack.ts';

/** Vitest calls this before the first test file: a first start is done once for all, and is itself a test of `npm start`. */
export async function setup(): Promise<() => void> {
  const stack = await startStack();
  const code = await stack.stop();
  if (code !== 0) throw new Error(`The first start ended with code ${code}`);
  process.env[SEEDED_DATA] = stack.settings['DATA_DIR'];
  return () => stack.remove();
}
