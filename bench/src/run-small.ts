import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './benches.ts';
import type { Counts } from './outcome.ts';
import { withProduct } from './with-product.ts';

type Found = Record<string, Counts>;

/** The small forms of these benches, one after the other: what each did, by its name. */
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

/** Of those of these benches that are run beside a product, beside the one at this origin. */
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
