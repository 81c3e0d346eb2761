import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './benches.ts';
import type { Counts } from './outcome.ts';
import { withProduct } from './with-product.ts';

/** The small forms of these benches, one after the other: what each did, by its name. */
export async function runSmall(benches: readonly Bench[]): Promise<Record<string, Counts>> {
  const found: Record<string, Counts> = {};
  const folder = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
  try {
    for (const { name, small } of benches) if (small.on === 'its own') found[name] = await small.run(folder);
    const onProduct = benches.filter(({ small }) => small.on === 'a product');
    if (onProduct.length > 0)
      await withProduct(async (origin) => {
        for (const { name, small } of onProduct) found[name] = await small.run(origin);
      });
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
