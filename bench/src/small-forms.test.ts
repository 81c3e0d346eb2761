import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childEnv } from '../../server/test/child-env.ts';
import { benches } from './benches.ts';
import { expectedCounts, expectedCountsOf } from './expected-counts.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Runs the named small forms in one child process, since a process for each would take longer. Returns their counts.
 */
async function runSmallFormsInChild(names: readonly string[]): Promise<unknown> {
  const env = { ...childEnv, HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [main, '--small', ...names], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errorOutput, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (exitCode !== 0) throw new Error(errorOutput);
  const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(lastLine);
}

test('every small form of a bench has expected counts', () => {
  const withSmallForm = benches.filter(({ smallForm }) => smallForm !== undefined);
  expect(Object.keys(expectedCounts).sort()).toEqual(withSmallForm.map(({ name }) => name).sort());
});

// Benches that need a running product are run by small-forms.e2e.ts, and all but one only in a long run: the exception
// holds how much a payment writes.
test('benches that start their own processes complete in their small forms', async () => {
  const names = benches
    .filter(({ smallForm }) => smallForm?.target === 'own processes')
    .map(({ name }) => name)
    .filter((name) => process.env['LONG'] === '1' || name === 'written');
  expect(await runSmallFormsInChild(names)).toEqual(expectedCountsOf(names));
});
