import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childEnv } from '../../server/test/child-env.ts';
import { benches } from './benches.ts';
import { expectedCounts, expectedOf } from './expected-counts.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** One separate process for all benches, since they end with their parent and each start takes time. */
async function runSmall(names: readonly string[]): Promise<unknown> {
  const env = { ...childEnv, HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [main, '--small', ...names], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(complained);
  return JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '');
}

test('every bench has a small form with expected counts', () => {
  expect(Object.keys(expectedCounts).sort()).toEqual(benches.map(({ name }) => name).sort());
});

// Benches that need a running product are run by small-forms.e2e.ts.
test('every bench that starts its own processes completes in its small form', async () => {
  const own = benches.filter(({ small }) => small.on === 'its own').map(({ name }) => name);
  expect(await runSmall(own)).toEqual(expectedOf(own));
});
