import type { Bench } from './benches.ts';
import { Interrupted } from './interruption.ts';

/**
 * Runs the benches in order; one that fails does not prevent the others.
 * @throws an error naming those that were skipped or kept nothing
 */
export async function runAll(benches: readonly Pick<Bench, 'name' | 'prepares' | 'run'>[]): Promise<void> {
  const missing: string[] = [];
  for (const { name, run } of benches.filter(({ prepares = false }) => !prepares)) {
    try {
      if ((await run([])) !== 'kept') missing.push(`${name}: kept nothing`);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      missing.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (missing.length > 0) throw new Error(`Not all benches kept their figures:\n${missing.join('\n')}`);
}
