import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { cobBody, givenBank, givenDirectory } from '../test/bank.ts';
import { givenProcess } from '../test/process.ts';
import { Books } from './books.ts';
import { DEFAULT_CLIENT } from './index.ts';

const ROUNDS = 3;

const answerSchema = z.object({
  access_token: z.string().default(''),
  pixCopiaECola: z.string().default(''),
  endToEndId: z.string().default(''),
});

async function post(url: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const response = await fetch(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: answerSchema.parse(await response.json()) };
}

test('a bank that is killed in the midst of payments keeps every one that it acknowledged', {
  timeout: 60_000,
}, async () => {
  const dataDir = await givenDirectory();
  const acknowledged = new Map<string, string>();
  let unknown = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bank = await givenProcess({ SANDBOX_DATA_DIR: dataDir });
    const basic = Buffer.from(`${DEFAULT_CLIENT.id}:${DEFAULT_CLIENT.secret}`).toString('base64');
    const grant = await post(
      `${bank.url}/oauth/token`,
      { grant_type: 'client_credentials' },
      { authorization: `Basic ${basic}` },
    );
    const bearer = { authorization: `Bearer ${grant.body.access_token}` };
    let sent = 0;
    const payOne = async () => {
      sent += 1;
      const txid = `r${round}n${String(sent).padStart(24, '0')}`;
      const charge = await post(`${bank.url}/v2/cob/${txid}`, cobBody('1.00'), bearer, 'PUT');
      const paid = await post(`${bank.url}/sandbox/payments`, { brCode: charge.body.pixCopiaECola });
      if (paid.status === 201) acknowledged.set(txid, paid.body.endToEndId);
    };
    const payer = async () => {
      for (;;) await payOne();
    };
    const payers = Array.from({ length: 16 }, () =>
      payer().catch(() => {
        unknown += 1;
      }),
    );
    await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(100 * (round + 1));
    await bank.end('SIGKILL');
    await Promise.all(payers);
  }
  expect(unknown).toBeGreaterThanOrEqual(ROUNDS);

  const books = await Books.open(dataDir);
  onTestFinished(() => books.close());
  for (const [txid, endToEndId] of acknowledged) {
    expect(books.pix.get(endToEndId)?.txid).toBe(txid);
    expect(books.charges.get(txid)?.status).toBe('CONCLUIDA');
  }
  expect(books.balanceCents).toBe(books.pixOrder.reduce((sum, { amountCents }) => sum + amountCents, 0));
  expect(books.pix.size).toBeGreaterThanOrEqual(acknowledged.size);
});

test('books that grew by changes alone are rewritten shorter at the next start and say the same', async () => {
  const dataDir = await givenDirectory();
  const first = await givenBank({ dataDir });
  await first.api('PUT', `/v2/cob/${'a'.repeat(30)}`, cobBody('10.00'));
  await first.api('PUT', `/v2/cob/${'a'.repeat(30)}`, cobBody('20.00'));
  await first.call('POST', '/sandbox/payments', { key: first.sandbox.account.key, amount: 7, txid: 'um' });
  await first.api('PUT', `/v2/webhook/${first.sandbox.account.key}`, { webhookUrl: 'http://127.0.0.1:9/x' });
  const before = (await first.api('GET', `/v2/cob/${'a'.repeat(30)}`)).body;
  await first.sandbox.stop();
  const books = await Books.open(dataDir);
  const { behaviour } = books;
  await Promise.all(Array.from({ length: 11_000 }, () => books.record({ t: 'behaviour', behaviour })));
  const payerCents = books.payerCents;
  await books.close();

  const again = await givenBank({ dataDir });
  expect((await readFile(join(dataDir, 'journal.jsonl'), 'utf8')).split('\n').length).toBeLessThan(20);
  const after = (await again.api('GET', `/v2/cob/${'a'.repeat(30)}`)).body;
  const withoutHost = (cob: { pixCopiaECola: string; location: string; loc: object }) => ({
    ...cob,
    pixCopiaECola: '',
    location: '',
    loc: {},
  });
  expect(withoutHost(after)).toEqual(withoutHost(before));
  expect((await again.api('GET', `/v2/cob/${'a'.repeat(30)}?revisao=0`)).body.valor.original).toBe('10.00');
  expect((await again.call('GET', '/sandbox/account')).body).toMatchObject({ balance: 7, payments: 1 });
  expect((await again.api('GET', '/v2/webhook')).body.webhooks).toHaveLength(1);
  await again.sandbox.stop();
  const reopened = await Books.open(dataDir);
  expect(reopened.payerCents).toBe(payerCents);
  await reopened.close();
});
