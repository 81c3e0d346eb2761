import {
  type ChargeBatch,
  type ChargeBatchLine,
  chargeBatch,
  chargeBatchLines,
  errorEnvelope,
  newChargeBatch,
} from '@jangada/contract';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { codeOf, type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse } from '../psp/index.ts';
import { newTimeId } from '../time-id.ts';
import { createBatch, MAX_OPEN_BATCHES } from './create-batch.ts';
import { workOffBatches } from './index.ts';
import { insertBatch } from './store.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let other: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  const admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
  other = await givenMerchant(gateway, { admin });
});
afterEach(() => gateway.bank.setBehaviour({}));
afterAll(() => gateway.stop());

type Fields = Readonly<Record<string, unknown>>;
const payer = { name: 'Francisco da Silva', document: '529.982.247-25' };
const lineOf = (n: number, fields: Fields = {}) => ({
  external_id: `aluno-${n}`,
  amount: 100 + n,
  ...fields,
});
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => lineOf(n + 1));

function post(
  items: readonly Fields[],
  fields: Fields = {},
  by = merchant,
  headers: Readonly<Record<string, string>> = {},
) {
  return gateway.api('POST', '/pix/batches', { items, ...fields }, { apiKey: by.apiKey, headers });
}
const givenBatch = async (
  items: readonly Fields[],
  fields: Fields = {},
  by = merchant,
): Promise<ChargeBatch> => parseSuccess(chargeBatch, await post(items, fields, by));
const read = async ({ id }: ChargeBatch, by = merchant): Promise<ChargeBatch> =>
  parseSuccess(chargeBatch, await gateway.api('GET', `/pix/batches/${id}`, undefined, { apiKey: by.apiKey }));
const linesIn = async ({ id }: ChargeBatch, query = ''): Promise<ChargeBatchLine[]> => {
  const answer = await gateway.api('GET', `/pix/batches/${id}/items${query}`, undefined, merchant);
  return parseSuccess(chargeBatchLines, answer).data;
};
async function workOff(): Promise<void> {
  while ((await workOffBatches(gateway.deps)) > 0);
}
const countCharges = async (by = merchant) => {
  const rows = await gateway.deps.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', by.id)
    .execute();
  return rows.length;
};

describe('a batch', () => {
  test('creates each of its charges as the API would, with due dates and payers, and says so in an event', async () => {
    const due_date = daysAfter(calendarDayOf(gateway.deps.clock.now()), 10);
    const items = [lineOf(1), lineOf(2, { due_date, payer, fine: { type: 'percent', value: 2 } })];
    const batch = await givenBatch(items, { reference: 'Janeiro' });
    expect(batch).toMatchObject({ reference: 'Janeiro', status: 'working', size: 2, waiting: 2, created: 0 });
    await workOff();
    expect(await read(batch)).toMatchObject({ status: 'completed', waiting: 0, created: 2, refused: 0 });
    const lines = await linesIn(batch);
    expect(lines.map(({ line, external_id }) => [line, external_id])).toEqual([
      [1, 'aluno-1'],
      [2, 'aluno-2'],
    ]);
    for (const { payment_id, content } of lines) {
      const answer = await gateway.api('GET', `/pix/status/${payment_id}`, undefined, merchant);
      expect(answer.body).toMatchObject({ status: 'pending' });
      expect(await gateway.bank.pay({ brCode: content })).toMatch(/^E/);
    }
    const events = await gateway.deps.db
      .selectFrom('events')
      .select('body')
      .where('type', '=', 'batch.completed')
      .execute();
    expect(events.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { batchId: batch.id, reference: 'Janeiro', size: 2, created: 2, refused: 0 },
    ]);
  });

  test('refuses the lines that cannot be charged, each with its reason, and creates the others', async () => {
    const before = await countCharges();
    const batch = await givenBatch([
      lineOf(1, { amount: 0.5 }),
      lineOf(2),
      lineOf(3, { due_date: '2020-01-01', payer }),
      lineOf(4, { due_date: '2030-01-10' }),
    ]);
    await workOff();
    expect(await read(batch)).toMatchObject({ created: 1, refused: 3 });
    const refused = await linesIn(batch, '?state=refused');
    expect(refused.map(({ line, code, message }) => [line, code, message])).toEqual([
      [1, 'AMOUNT_TOO_SMALL', expect.stringContaining('1,50')],
      [3, 'DUE_TERMS_INVALID', 'O vencimento já passou.'],
      [4, 'DUE_TERMS_INVALID', expect.stringContaining('a quem cobra')],
    ]);
    expect((await countCharges()) - before).toBe(1);
  });

  test('is refused whole, naming the line, if a line is no request for a charge or has no id of its own', async () => {
    const fieldsOf = async (items: readonly Fields[]) => {
      const answer = await post(items);
      expect(answer.status).toBe(400);
      const { fields } = errorEnvelope.parse(answer.body).error.details as { fields: { field: string }[] };
      return fields.map(({ field }) => field);
    };
    expect(await fieldsOf([lineOf(1), { amount: 10 }])).toEqual(['items.1.external_id']);
    expect(await fieldsOf([lineOf(1), lineOf(2, { amount: '10,00' })])).toEqual(['items.1.amount']);
    expect(await fieldsOf([lineOf(1), lineOf(1)])).toEqual(['items']);
    expect(await fieldsOf([])).toEqual(['items']);
  });

  test('is the same batch if the call is repeated under its key', async () => {
    const headers = { 'idempotency-key': 'lote-janeiro' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => post(linesOf(3), {}, merchant, headers)),
    );
    const repeated = parseSuccess(chargeBatch, await post(linesOf(3), {}, merchant, headers));
    for (const { status, body } of answers)
      if (status === 202) expect(body).toMatchObject({ id: repeated.id });
    const before = await countCharges();
    await workOff();
    expect((await countCharges()) - before).toBe(3);
  });

  test('that must repeat nothing is refused with the lines that are charges already, or will be', async () => {
    const due_date = daysAfter(calendarDayOf(gateway.deps.clock.now()), 10);
    const due = { due_date, payer };
    const own = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
    const repeatedIn = async (items: readonly Fields[]) => {
      const answer = await post(items, { refuse_repeated: true }, own);
      if (answer.status === 202) return [];
      const { code, details } = errorEnvelope.parse(answer.body).error;
      expect([answer.status, code]).toEqual([409, 'ALREADY_CHARGED']);
      return (details as { fields: { field: string; message: string }[] }).fields;
    };
    const items = [lineOf(1, due), lineOf(2, due), lineOf(3), lineOf(4)];
    await givenBatch(items, {}, own);
    const all = [0, 1, 2, 3].map((place) => ({
      field: `items.${place}.external_id`,
      message: expect.stringMatching(/^Já foi cobrada em \d\d\/\d\d\/\d{4}\.$/),
    }));
    expect(await repeatedIn(items)).toEqual(all);
    await workOff();
    expect(await repeatedIn(items)).toEqual(all);
    const created = await gateway.deps.db
      .selectFrom('charges')
      .select(['external_id', 'br_code'])
      .where('merchant_id', '=', own.id)
      .execute();
    for (const { external_id, br_code } of created)
      if (external_id === 'aluno-2' || external_id === 'aluno-4') await gateway.bank.pay({ brCode: br_code });
    await gateway.advance(5);
    await reconcilePayments(atHouse(gateway.deps));
    // Without a due date what was paid may be charged again, and so may the same id on another day.
    const later = { ...due, due_date: daysAfter(due_date, 30) };
    expect(await repeatedIn([lineOf(5), lineOf(4), lineOf(3), lineOf(2, due), lineOf(1, later)])).toEqual([
      { field: 'items.2.external_id', message: expect.stringMatching(/\d\.$/) },
      { field: 'items.3.external_id', message: expect.stringMatching(/\d, e paga\.$/) },
    ]);
    const before = await countCharges(own);
    expect(await repeatedIn([lineOf(5), lineOf(4), lineOf(1, later)])).toEqual([]);
    await workOff();
    expect((await countCharges(own)) - before).toBe(3);
    // Whoever does not ask for it charges again, and nobody sees the charges of others.
    expect(await repeatedIn([lineOf(6)])).toEqual([]);
    await givenBatch(items, {}, own);
    await givenBatch(items, { refuse_repeated: true }, other);
    await workOff();
  });

  test('that must repeat nothing waits for another of the account that is being stored', async () => {
    const own = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
    const maker = { merchantId: own.id, requestId: 'race', madeWith: 'key', createdBy: null };
    const request = newChargeBatch.parse({ refuse_repeated: true, items: linesOf(3) });
    const stored = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    onTestFinished(() => commit.resolve());
    const first = inTransaction(gateway.deps, async (tx) => {
      await lockMerchant(tx, own.id);
      const id = newTimeId(tx.now);
      await insertBatch(tx, { ...maker, id, reference: null, lines: request.items });
      stored.resolve();
      await commit.promise;
    });
    await stored.promise;
    const second = createBatch(gateway.deps, maker, request, undefined).catch((error: unknown) => error);
    await waitForBlockedTransactions(gateway.deps.db);
    commit.resolve();
    await first;
    expect(await second).toMatchObject({ code: 'ALREADY_CHARGED' });
    await workOff();
    expect(await countCharges(own)).toBe(3);
  });

  test('worked on by many processes at once creates each charge once', async () => {
    const before = await countCharges();
    const batch = await givenBatch(linesOf(200));
    await Promise.all(Array.from({ length: 6 }, () => workOff()));
    expect(await read(batch)).toMatchObject({ status: 'completed', created: 200 });
    expect((await countCharges()) - before).toBe(200);
    const ids = new Set((await linesIn(batch, '?limit=100')).map(({ payment_id }) => payment_id));
    expect(ids.size).toBe(100);
  });

  test('goes on with the same charge if the bank did not answer, and creates none twice', async () => {
    const before = await countCharges();
    const batch = await givenBatch(linesOf(3));
    await gateway.bank.setBehaviour({ charges: 'down' });
    await workOff();
    expect(await read(batch)).toMatchObject({ status: 'working', waiting: 3 });
    await gateway.bank.setBehaviour({});
    await gateway.advance(301);
    await workOff();
    expect(await read(batch)).toMatchObject({ status: 'completed', created: 3 });
    expect((await countCharges()) - before).toBe(3);
  });

  test('that is cancelled creates no more, keeps what it created, and ends', async () => {
    const batch = await givenBatch(linesOf(200));
    await workOffBatches(gateway.deps);
    const answer = await gateway.api('POST', `/pix/batches/${batch.id}/cancel`, undefined, merchant);
    const cancelled = parseSuccess(chargeBatch, answer);
    expect(cancelled.created).toBeGreaterThan(0);
    expect(cancelled.created + cancelled.cancelled).toBe(200);
    const before = await countCharges();
    await workOff();
    expect(await countCharges()).toBe(before);
    expect(await read(batch)).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
  });

  test('is refused while too many of the account are under way, and others may create theirs', async () => {
    const busy = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
    for (let count = 0; count < MAX_OPEN_BATCHES; count += 1) await givenBatch(linesOf(1), {}, busy);
    expect(codeOf(await post(linesOf(1), {}, busy))).toBe('429 RATE_LIMITED');
    await givenBatch(linesOf(1), {}, other);
    await workOff();
    await givenBatch(linesOf(1), {}, busy);
    await workOff();
  });

  test('of one merchant does not hold up that of another', async () => {
    await givenBatch(linesOf(150));
    await workOffBatches(gateway.deps);
    const small = await givenBatch(linesOf(5), {}, other);
    await workOffBatches(gateway.deps);
    expect(await read(small, other)).toMatchObject({ status: 'completed', created: 5 });
    await workOff();
  });

  test('has a result file with the link and code of each charge, or its refusal', async () => {
    const batch = await givenBatch([lineOf(1, { external_id: '=1+1' }), lineOf(2, { amount: 0.5 })]);
    await workOff();
    const headers = { authorization: `Bearer ${merchant.token}` };
    const response = await fetch(`${gateway.url}/api/authed/charge-batches/${batch.id}/result`, { headers });
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
    const [title, created = '', refused = ''] = text.split('\r\n');
    expect(title).toBe(
      '\uFEFFLinha;Seu id;Situação;Id da cobrança;Txid;Valor;Vencimento;Link;Pix copia e cola;Código;Motivo',
    );
    // A spreadsheet must not run what a line is called.
    expect(created).toMatch(/^1;'=1\+1;Criada;[0-9a-f-]{36};\w+;101,00;;http\S+\/pagar\/\w+;000201/);
    expect(refused).toMatch(/^2;aluno-2;Recusada;;;;;;;AMOUNT_TOO_SMALL;/);
  });

  test('of somebody else is not found', async () => {
    const batch = await givenBatch(linesOf(1));
    const answer = await gateway.api('GET', `/pix/batches/${batch.id}`, undefined, { apiKey: other.apiKey });
    expect(errorEnvelope.parse(answer.body).error.code).toBe('CHARGE_BATCH_NOT_FOUND');
  });
});
