import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './benches.ts';
import type { Counts } from './outcome.ts';
import { withProduct } from './with-product.ts';

type Found = Record<string, Counts>;

/** Runs the small forms of these benches in order, and returns the counts of each by name. */
export async function runSmall(benches: readonly Bench[]): Promise<Found> {
  const found: Found = {};
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  try {
    for (const { name, small } of benches)
      if (small.on === 'its own') found[name] = await naming(name, small.run(folder));
    if (benches.some(({ small }) => small.on === 'a product'))
      await withProduct(async (origin) => Object.assign(found, await smallFormsBeside(origin, benches)));
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs those benches that need a running product against the one at this origin. */
export async function smallFormsBeside(origin: string, benches: readonly Bench[]): Promise<Found> {
  const found: Found = {};
  for (const { name, small } of benches)
    if (small.on === 'a product') found[name] = await naming(name, small.run(origin));
  return found;
}

async function naming(name: string, running: Promise<Counts>): Promise<Counts> {
  try {
    return await running;
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
