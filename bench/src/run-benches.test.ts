import { expect, test } from 'vitest';
import { Interrupted } from './interruption.ts';
import { runAll } from './run-benches.ts';

const ran: string[] = [];
const bench = (name: string, run: () => Promise<'kept' | 'looked'>) => ({
  name,
  run: () => {
    ran.push(name);
    return run();
  },
});

test('a run of all benches ends by naming those that were skipped or kept nothing', async () => {
  const running = runAll([
    bench('a', () => Promise.reject(new Error('Left out: not built'))),
    bench('b', () => Promise.resolve('looked')),
    { ...bench('c', () => Promise.reject(new Error('run by its name only'))), prepares: true },
    bench('d', () => Promise.resolve('kept')),
  ]);
  await expect(running).rejects.toThrow('a: Left out: not built\nb: kept nothing');
  expect(ran).toEqual(['a', 'b', 'd']);
});

test('a run of all benches succeeds if all figures were kept, and ends at once when interrupted', async () => {
  await runAll([bench('e', () => Promise.resolve('kept'))]);
  const interrupted = bench('f', () => Promise.reject(new Interrupted('Interrupted.')));
  await expect(runAll([interrupted, bench('g', () => Promise.resolve('kept'))])).rejects.toThrow(Interrupted);
  expect(ran).not.toContain('g');
});
