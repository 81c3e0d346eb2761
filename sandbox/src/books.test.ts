import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Client, cobBody, givenBank, givenDirectory } from '../test/bank.ts';
import { givenProcess } from '../test/process.ts';
import { Books } from './books.ts';
import { VirtualClock } from './clock.ts';
import { DEFAULT_ACCOUNT, DEFAULT_CLIENT } from './index.ts';

const ROUNDS = 3;
/** Refunds take four seconds, so that some are pending whenever the bank is killed. */
const slowRefunds = { payouts: 'returned', payoutReturnSeconds: 0, refunds: 'slow', slowSeconds: 4 };

const responseSchema = z.object({
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
  return { status: response.status, body: responseSchema.parse(await response.json()) };
}

async function authorize(url: string): Promise<Record<string, string>> {
  const basic = Buffer.from(`${DEFAULT_CLIENT.id}:${DEFAULT_CLIENT.secret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const { body } = await post(`${url}/oauth/token`, { grant_type: 'client_credentials' }, headers);
  return { authorization: `Bearer ${body.access_token}` };
}

const listSchema = z.array(
  z.object({
    idEnvio: z.string().default(''),
    id: z.string().default(''),
    status: z.string().default(''),
    devolucoes: z.array(z.object({ id: z.string().default(''), status: z.string() })).default([]),
  }),
);

/** Reads the outcome of every payout and refund, by id, and counts those that are not finished. */
async function outcomesOf(bank: Client) {
  const window = 'inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z&paginacao.itensPorPagina=1000';
  const received: z.infer<typeof listSchema> = [];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const { body } = await bank.api('GET', `/v2/pix?${window}&paginacao.paginaAtual=${page}`);
    received.push(...listSchema.parse(body.pix));
    pages = body.parametros.paginacao.quantidadeDePaginas;
  }
  const sent = listSchema.parse((await bank.call('GET', '/sandbox/payouts')).body);
  const payouts = new Map(
    sent.map(({ idEnvio, status, devolucoes }) => [
      idEnvio,
      devolucoes.length > 0 ? `${status} and back` : status,
    ]),
  );
  const refunds = new Map(
    received.flatMap(({ devolucoes }) => devolucoes).map(({ id, status }) => [id, status]),
  );
  const outcomes = [...payouts.values(), ...refunds.values()];
  return {
    payouts,
    refunds,
    pendingCount: outcomes.filter((outcome) => !/back|DEVOLVIDO/.test(outcome)).length,
  };
}

test('a bank killed during payments keeps every payment it acknowledged', async () => {
  const dataDir = await givenDirectory();
  const acknowledged = new Map<string, string>();
  let lostResponseCount = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bank = await givenProcess({ SANDBOX_DATA_DIR: dataDir });
    const bearer = await authorize(bank.url);
    let sentCount = 0;
    const payOne = async () => {
      sentCount += 1;
      const txid = `r${round}n${String(sentCount).padStart(24, '0')}`;
      const charge = await post(`${bank.url}/v2/cob/${txid}`, cobBody('1.00'), bearer, 'PUT');
      const paid = await post(`${bank.url}/sandbox/payments`, { brCode: charge.body.pixCopiaECola });
      if (paid.status === 201) acknowledged.set(txid, paid.body.endToEndId);
    };
    const payer = async () => {
      for (;;) await payOne();
    };
    const payers = Array.from({ length: 16 }, () =>
      payer().catch(() => {
        lostResponseCount += 1;
      }),
    );
    await expect.poll(() => acknowledged.size).toBeGreaterThan(100 * (round + 1));
    await bank.end('SIGKILL');
    await Promise.all(payers);
  }
  expect(lostResponseCount).toBeGreaterThanOrEqual(ROUNDS);

  const books = await Books.open(dataDir);
  onTestFinished(() => books.close());
  for (const [txid, endToEndId] of acknowledged) {
    expect(books.pix.get(endToEndId)?.txid).toBe(txid);
    expect(books.charges.get(txid)?.status).toBe('CONCLUIDA');
  }
  expect(books.balanceCents).toBe(books.pixOrder.reduce((sum, { amountCents }) => sum + amountCents, 0));
  expect(books.pix.size).toBeGreaterThanOrEqual(acknowledged.size);
});

test('a bank killed during payouts and refunds completes every payout and refund it acknowledged', async () => {
  const dataDir = await givenDirectory();
  const { key } = DEFAULT_ACCOUNT;
  const acknowledged = { payouts: new Set<string>(), refunds: new Set<string>() };
  let [sentCount, lostResponseCount] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bank = await givenProcess({ SANDBOX_DATA_DIR: dataDir });
    const bearer = await authorize(bank.url);
    await post(`${bank.url}/sandbox/behaviour`, slowRefunds, {}, 'PUT');
    const sendOne = async () => {
      sentCount += 1;
      const id = `n${sentCount}`;
      const { body } = await post(`${bank.url}/sandbox/payments`, { key, amount: 10 });
      const refund = `${bank.url}/v2/pix/${body.endToEndId}/devolucao/${id}`;
      if ((await post(refund, { valor: '4.00' }, bearer, 'PUT')).status === 201) acknowledged.refunds.add(id);
      const payout = { valor: '5.00', pagador: { chave: key }, favorecido: { chave: 'maria@example.com' } };
      const { status } = await post(`${bank.url}/v3/gn/pix/${id}`, payout, bearer, 'PUT');
      if (status === 201) acknowledged.payouts.add(id);
    };
    const sender = async () => {
      for (;;) await sendOne();
    };
    const senders = Array.from({ length: 16 }, () =>
      sender().catch(() => {
        lostResponseCount += 1;
      }),
    );
    await expect.poll(() => acknowledged.payouts.size).toBeGreaterThan(100 * (round + 1));
    await bank.end('SIGKILL');
    await Promise.all(senders);
  }
  expect(lostResponseCount).toBeGreaterThanOrEqual(ROUNDS);

  const booksAfterKill = await Books.open(dataDir);
  const pendingCount = booksAfterKill.pending.size;
  await booksAfterKill.close();
  expect(pendingCount).toBeGreaterThan(0);
  const bank = await givenBank({ dataDir });
  await expect.poll(async () => (await outcomesOf(bank)).pendingCount).toBe(0);
  const { payouts, refunds } = await outcomesOf(bank);
  for (const id of acknowledged.payouts) expect(payouts.get(id)).toBe('REALIZADO and back');
  for (const id of acknowledged.refunds) expect(refunds.get(id)).toBe('DEVOLVIDO');
  const { balance, payments } = (await bank.call('GET', '/sandbox/account')).body;
  expect(balance).toBe(payments * 10 - refunds.size * 4);
});

/** Reads what the bank shows of money that has left or may leave the account. */
async function readLists(bank: Client) {
  const { pix } = (await bank.api('GET', '/v2/pix?inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z'))
    .body;
  const { totals, movements } = (await bank.call('GET', '/sandbox/account')).body;
  const payouts = (await bank.call('GET', '/sandbox/payouts')).body;
  const disputes = (await bank.call('GET', '/sandbox/disputes')).body;
  return { refunded: pix[0].devolucoes[0], totals, movements, payouts, disputes };
}

test('a journal grown by changes is compacted at the next start without changing the books', async () => {
  const dataDir = await givenDirectory();
  const first = await givenBank({ dataDir });
  await first.api('PUT', `/v2/cob/${'a'.repeat(30)}`, cobBody('10.00'));
  await first.api('PUT', `/v2/cob/${'a'.repeat(30)}`, cobBody('20.00'));
  await first.call('POST', '/sandbox/payments', { key: first.sandbox.account.key, amount: 7, txid: 'um' });
  await first.call('POST', '/sandbox/payments', {
    key: first.sandbox.account.key,
    amount: 100,
    txid: 'dois',
  });
  await first.call('PUT', '/sandbox/behaviour', { slowSeconds: 60 });
  const { pix } = (await first.api('GET', '/v2/pix?inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z'))
    .body;
  const [refundedId, contestedId] = pix.map(({ endToEndId }: { endToEndId: string }) => endToEndId);
  await first.api('PUT', `/v2/pix/${refundedId}/devolucao/r1`, { valor: '2.00' });
  await first.api('PUT', '/v3/gn/pix/s1', {
    valor: '14.03',
    pagador: { chave: first.sandbox.account.key },
    favorecido: { chave: 'maria@example.com' },
  });
  await first.call('POST', '/sandbox/account/movements', { kind: 'tariff', amount: 1 });
  await first.call('POST', '/sandbox/disputes', { endToEndId: contestedId, reason: 'golpe', amount: 50 });
  await expect.poll(async () => (await readLists(first)).refunded.status).toBe('DEVOLVIDO');
  const lists = await readLists(first);
  await first.api('PUT', `/v2/webhook/${first.sandbox.account.key}`, { webhookUrl: 'http://127.0.0.1:9/x' });
  const chargeBefore = (await first.api('GET', `/v2/cob/${'a'.repeat(30)}`)).body;
  await first.sandbox.stop();
  const books = await Books.open(dataDir);
  const { behaviour } = books;
  await Promise.all(Array.from({ length: 11_000 }, () => books.record({ t: 'behaviour', behaviour })));
  const payerCents = books.payerChangeCents;
  await books.close();

  const restarted = await givenBank({ dataDir });
  expect((await readFile(join(dataDir, 'journal.jsonl'), 'utf8')).split('\n').length).toBeLessThan(20);
  const chargeAfter = (await restarted.api('GET', `/v2/cob/${'a'.repeat(30)}`)).body;
  const withoutHost = (cob: { pixCopiaECola: string; location: string; loc: object }) => ({
    ...cob,
    pixCopiaECola: '',
    location: '',
    loc: {},
  });
  expect(withoutHost(chargeAfter)).toEqual(withoutHost(chargeBefore));
  expect((await restarted.api('GET', `/v2/cob/${'a'.repeat(30)}?revisao=0`)).body.valor.original).toBe(
    '10.00',
  );
  expect((await restarted.call('GET', '/sandbox/account')).body).toMatchObject({
    balance: 89.97,
    blocked: 50,
    payments: 2,
  });
  expect(await readLists(restarted)).toEqual(lists);
  expect((await restarted.api('GET', '/v2/webhook')).body.webhooks).toHaveLength(1);
  await restarted.sandbox.stop();
  const reopened = await Books.open(dataDir);
  expect(reopened.payerChangeCents).toBe(payerCents);
  await reopened.close();
});

test('a journal whose books share a clock never sets that clock, not even when it is compacted', async () => {
  const dataDir = await givenDirectory();
  const clock = new VirtualClock();
  const reopen = () => Books.open(dataDir, { durable: false }, clock);
  const books = await reopen();
  const { behaviour } = books;
  await Promise.all(Array.from({ length: 11_000 }, () => books.record({ t: 'behaviour', behaviour })));
  await books.close();
  await (await reopen()).close();
  expect((await readFile(join(dataDir, 'journal.jsonl'), 'utf8')).split('\n').length).toBeLessThan(20);
  clock.offsetMs = 5000;
  await (await reopen()).close();
  expect(clock.offsetMs).toBe(5000);
});
