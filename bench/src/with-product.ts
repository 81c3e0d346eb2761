import { startStack } from '../../e2e/stack.ts';
import { interruption } from './interruption.ts';
import type { BenchOutcome } from './outcome.ts';

/**
 * Starts the whole product on free ports with new data, passes on its origin (`http://localhost:PORT`), and stops and
 * removes it, also on an interruption.
 */
export async function withProduct<Found>(
  use: (origin: string) => Promise<Found>,
  settings: Record<string, string> = {},
): Promise<Found> {
  const interrupted = interruption();
  const stack = await startStack(settings);
  try {
    return await Promise.race([use(stack.url), interrupted]);
  } finally {
    await stack.stop();
    stack.remove();
  }
}

/** Measures the sandbox at the given origin or one that it starts; `--quick`: a preview that keeps nothing. */
export async function measureSandbox(
  args: readonly string[],
  measure: (origin: string, quick: boolean) => Promise<void>,
): Promise<BenchOutcome> {
  const quick = args.includes('--quick');
  const origin = args.find((argument) => !argument.startsWith('--'));
  await (origin === undefined ? withProduct((started) => measure(started, quick)) : measure(origin, quick));
  return quick ? 'looked' : 'kept';
}
