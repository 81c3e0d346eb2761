import { startStack } from '../../e2e/stack.ts';
import type { BenchOutcome } from './bench-result.ts';
import { rejectOnInterruption } from './interruption.ts';

/**
 * Starts the whole product on free ports with new data, passes its origin (`http://localhost:PORT`) to `use`,
 * and stops and removes the product afterwards, also on an interruption.
 */
export async function withProduct<Result>(
  use: (origin: string) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const interrupted = rejectOnInterruption();
  const stack = await startStack(settings);
  try {
    return await Promise.race([use(stack.url), interrupted]);
  } finally {
    await stack.stop();
    stack.remove();
  }
}

/**
 * Measures the product in its test mode: at the origin among the arguments, or else a product that this function
 * starts. With `--quick` among the arguments, the run is a preview that stores nothing.
 */
export async function measureSandbox(
  args: readonly string[],
  measure: (origin: string, quick: boolean) => Promise<void>,
): Promise<BenchOutcome> {
  const quick = args.includes('--quick');
  const origin = args.find((argument) => !argument.startsWith('--'));
  await (origin === undefined ? withProduct((started) => measure(started, quick)) : measure(origin, quick));
  return quick ? 'preview' : 'saved';
}
