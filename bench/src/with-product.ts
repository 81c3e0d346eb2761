import { startStack } from '../../e2e/stack.ts';
import { interruption } from './interruption.ts';

/**
 * Starts the whole product on free ports with data of its own, hands out its origin (`http://localhost:PORT`), and
 * ends and removes it, also when somebody interrupts.
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
