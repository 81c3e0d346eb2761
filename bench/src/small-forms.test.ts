import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childEnv } from '../../server/test/child-env.ts';
import { benches } from './benches.ts';
import type { Counts } from './outcome.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** In a process of its own, as benches are run: they end with whoever started them. */
async function runSmall(name: string): Promise<unknown> {
  const env = { ...childEnv, HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [main, '--small', name], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(complained);
  return JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '');
}

const expected: Readonly<Record<string, Counts>> = {
  receiving: {
    rounds: 1,
    'one-per-call': 200,
    'hundred-per-call': 200,
    'one-merchant': 200,
    create: 200,
    'create-with-picture': 200,
    'with-webhooks': 200,
    'lone-payment': 3,
    crowds: 2,
    'steady notifications': 200,
  },
  webhooks: {
    deliveries: 185,
    'first calls to those that fail': 10,
    'delays while all are well': 40,
    'delays while some fail and hang': 37,
  },
  'build-payments': { charges: 1160, 'received Pix': 974, refunds: 31, transfers: 2010 },
  reads: { big: 1000, small: 110, reads: 17, 'reads explained': 34 },
  'user-search': { accounts: 1000, searches: 14, 'searches explained': 14 },
};

const own = benches.filter(({ small }) => small.on === 'its own').map(({ name }) => name);

test.for(own)('%s runs whole in its small form', async (name) => {
  expect(await runSmall(name)).toEqual({ [name]: expected[name] });
});
