import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts } from './bench-result.ts';
import type { Bench } from './benches.ts';
import { Interrupted } from './interruption.ts';
import { withProduct } from './with-product.ts';

/**
 * Runs the benches in order, except those that run only by their name. If a bench fails, the remaining benches run nevertheless.
 * @throws an error that names the benches which failed or stored nothing
 */
export async function runAll(
  benches: readonly Pick<Bench, 'name' | 'isOnlyByName' | 'run'>[],
): Promise<void> {
  const failures: string[] = [];
  for (const { name, run } of benches.filter(({ isOnlyByName = false }) => !isOnlyByName)) {
    try {
      if ((await run([])) !== 'saved') failures.push(`${name}: kept nothing`);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (failures.length > 0) throw new Error(`Not all benches kept their figures:\n${failures.join('\n')}`);
}

type CountsByBench = Record<string, Counts>;

/** Runs the small forms of these benches in order, and returns the counts of each by name. */
export async function runSmallForms(benches: readonly Bench[]): Promise<CountsByBench> {
  const counts: CountsByBench = {};
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  try {
    for (const { name, smallForm } of benches)
      if (smallForm?.target === 'own processes')
        counts[name] = await nameFailure(name, smallForm.run(folder));
    if (benches.some(({ smallForm }) => smallForm?.target === 'running product'))
      await withProduct(async (origin) =>
        Object.assign(counts, await runSmallFormsOnProduct(origin, benches)),
      );
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the small forms that need a running product, against the product at this origin. */
export async function runSmallFormsOnProduct(
  origin: string,
  benches: readonly Bench[],
): Promise<CountsByBench> {
  const counts: CountsByBench = {};
  for (const { name, smallForm } of benches)
    if (smallForm?.target === 'running product')
      counts[name] = await nameFailure(name, smallForm.run(origin));
  return counts;
}

/** Waits for a small form, and adds the bench's name to the message of a failure. */
async function nameFailure(name: string, running: Promise<Counts>): Promise<Counts> {
  try {
    return await running;
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
