import { expect, test } from 'vitest';
import type { BenchOutcome } from './bench-result.ts';
import { Interrupted } from './interruption.ts';
import { runAll } from './run-benches.ts';

const startedBenches: string[] = [];
const fakeBench = (name: string, run: () => Promise<BenchOutcome>) => ({
  name,
  run: () => {
    startedBenches.push(name);
    return run();
  },
});

test('a run of all benches ends by naming the benches that failed or kept nothing, and leaves preparations out', async () => {
  const running = runAll([
    fakeBench('a', () => Promise.reject(new Error('Left out: not built'))),
    fakeBench('b', () => Promise.resolve('preview')),
    { ...fakeBench('c', () => Promise.reject(new Error('run by its name only'))), isOnlyByName: true },
    fakeBench('d', () => Promise.resolve('saved')),
  ]);
  await expect(running).rejects.toThrow('a: Left out: not built\nb: kept nothing');
  expect(startedBenches).toEqual(['a', 'b', 'd']);
});

test('a run of all benches succeeds if all figures were kept, and starts no further bench when interrupted', async () => {
  await runAll([fakeBench('e', () => Promise.resolve('saved'))]);
  const interrupted = fakeBench('f', () => Promise.reject(new Interrupted('Interrupted.')));
  const next = fakeBench('g', () => Promise.resolve('saved'));
  await expect(runAll([interrupted, next])).rejects.toThrow(Interrupted);
  expect(startedBenches).not.toContain('g');
});
