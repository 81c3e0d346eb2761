import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { readConfig } from '../config.ts';
import { createSecrets } from '../secrets.ts';
import { noticePath } from './bacen/notice-routes.ts';
import { type AtBank, createBanks, HOUSE_CONNECTION } from './bank.ts';
import { ensureNoticeUrl, ForeignWebhook, noticeUrl } from './jobs.ts';
import type { Psp } from './psp.ts';

// The URLs for notices at a bank that also debits by mandate: those about mandates and debits belong to the receiver, and
// whatever becomes of them stops nothing else.

const secrets = createSecrets(Buffer.alloc(32, 7));
const config = readConfig({ PUBLIC_URL: 'https://pix.example', SANDBOX_PUBLIC: '1' });
const warnings: string[] = [];
let bank: ScriptedBank;
let psp: Psp;
/** The URL that the bank has registered, by path. */
let registered: Record<string, string>;
/** The paths whose registrations the bank refuses. */
let refused: readonly string[];

beforeAll(async () => {
  bank = await startScriptedBank();
  psp = bank.connect({ PSP_ACCOUNT: 'pagamento 1 2' });
});
beforeEach(() => {
  bank.calls = [];
  registered = {};
  refused = [];
  warnings.length = 0;
  bank.responses = {
    'GET /v2/webhook': ({ path }) =>
      registered[path] === undefined ? { status: 404 } : { body: { webhookUrl: registered[path] } },
    'PUT /v2/webhook': ({ path, body }) => {
      if (refused.includes(path)) return { status: 403, body: { nome: 'acesso_negado' } };
      registered[path] = JSON.parse(body).webhookUrl;
      return {};
    },
  };
});
afterAll(async () => {
  await psp.close();
  bank.stop();
});

const keyPath = '/v2/webhook/pix%40jangada.example';
const [recPath, cobrPath] = ['/v2/webhookrec', '/v2/webhookcobr'];

/** The dependencies of work at one of the accounts 1 (the operator's), 2 and 3, of which 3 is not in use. */
function depsAt(id: number): AtBank {
  const connected = [HOUSE_CONNECTION, 2].map((connectionId) => ({
    connection: { id: connectionId, pixKey: 'pix@jangada.example' },
    callbacks: { adapter: 'efi' as const, webhookCidrs: [] },
    psp,
  }));
  const [house, ...others] = connected;
  if (house === undefined) throw new Error('no bank');
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
  const used = { connection: { id, pixKey: 'pix@jangada.example' }, callbacks: house.callbacks, psp };
  return { secrets, banks: createBanks(house, others), log, config, ...used } as Partial<AtBank> as AtBank;
}
const urlOf = (id: number) => noticeUrl(depsAt(id));

test('all are registered once, and again only after the address changed', async () => {
  await ensureNoticeUrl(depsAt(HOUSE_CONNECTION));
  const own = urlOf(HOUSE_CONNECTION);
  expect(registered).toStrictEqual({ [keyPath]: own, [recPath]: own, [cobrPath]: own });
  const puts = () => bank.calls.filter(({ method }) => method === 'PUT').length;
  await ensureNoticeUrl(depsAt(HOUSE_CONNECTION));
  expect(puts()).toBe(3);
  registered[recPath] = own.replace('pix.example', 'antigo.example');
  await ensureNoticeUrl(depsAt(HOUSE_CONNECTION));
  expect(registered[recPath]).toBe(own);
  expect(puts()).toBe(4);
  expect(warnings).toStrictEqual([]);
});

test.for([recPath, cobrPath])('a bank that refuses %s registers the others', async (path) => {
  refused = [path];
  await ensureNoticeUrl(depsAt(HOUSE_CONNECTION));
  const own = urlOf(HOUSE_CONNECTION);
  const expected = { [keyPath]: own, [recPath]: own, [cobrPath]: own };
  delete expected[path];
  expect(registered).toStrictEqual(expected);
  expect(warnings).toHaveLength(1);
  expect(warnings.join()).not.toContain(noticePath(depsAt(HOUSE_CONNECTION)));
});

test('the URL of another system is left to it, and that of the others registered', async () => {
  registered[recPath] = 'https://outro.example/avisos';
  await ensureNoticeUrl(depsAt(2));
  expect(registered).toStrictEqual({
    ...{ [keyPath]: urlOf(2), [cobrPath]: urlOf(2) },
    [recPath]: 'https://outro.example/avisos',
  });
  expect(warnings).toHaveLength(1);
});

test('where the notices of the key go to another system, none is registered', async () => {
  registered[keyPath] = 'https://outro.example/avisos';
  await expect(ensureNoticeUrl(depsAt(HOUSE_CONNECTION))).rejects.toThrow(ForeignWebhook);
  expect(Object.keys(registered)).toStrictEqual([keyPath]);
});

test('two accounts of one receiver do not take the notices from each other; those of an unused one are taken', async () => {
  registered = { [recPath]: urlOf(2), [cobrPath]: urlOf(3) };
  await ensureNoticeUrl(depsAt(4));
  expect(registered).toMatchObject({ [recPath]: urlOf(2), [cobrPath]: urlOf(4) });
  registered = { [recPath]: urlOf(3) };
  await ensureNoticeUrl(depsAt(HOUSE_CONNECTION));
  expect(registered[recPath]).toBe(urlOf(3));
});
