import { randomUUID } from 'node:crypto';
import {
  apiGetWithdrawal,
  apiListWithdrawals,
  errorEnvelope,
  getBalance,
  type PublicWithdrawalStatus,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenBalance, givenMerchant, parseSuccess } from '../../test/given.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { insertWithdrawal, updateWithdrawal } from './store.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  merchant = await givenMerchant(gateway);
  await givenBalance(gateway, merchant, 300);
});

const getAsMerchant = (path: string, apiKey = merchant.apiKey) =>
  gateway.api('GET', path, undefined, { apiKey });
const listByApi = async (query = '') =>
  parseSuccess(apiListWithdrawals.response, await getAsMerchant(`/withdraw${query}`));
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof getAsMerchant>>) => {
  const { code, message, details } = errorEnvelope.parse(body).error;
  return { status, code, message, details };
};

/** Creates a withdrawal of R$ 10,00 with a fee of R$ 1,50, in this status, and returns its id. */
async function givenWithdrawal(
  status: PublicWithdrawalStatus,
  time = gateway.deps.clock.now(),
): Promise<string> {
  const { id: merchantId } = merchant;
  const { db } = gateway.deps;
  const inTransactionAtTime = <T>(work: (tx: Tx) => Promise<T>) =>
    inTransaction({ db, clock: { now: () => time } }, work);
  const id = randomUUID();
  const movement = { merchantId, reference: id, amountCents: 1000, feeCents: 150 };
  const withdrawal = await inTransactionAtTime(async (tx) => {
    await post(tx, movements.withdrawalRequested(movement));
    return insertWithdrawal(tx, {
      ...{ merchantId, id, connectionId: 1, idEnvio: id.replaceAll('-', ''), origin: 'api' },
      ...{ amountCents: 1000, feeCents: 150 },
      ...{ keyType: 'email', pixKey: 'maria@example.com', callbackUrl: null },
    });
  });
  if (status === 'PENDING') return id;
  await inTransactionAtTime((tx) =>
    updateWithdrawal(tx, withdrawal, { status: 'processing', send_count: 1, first_sent_at: time }),
  );
  await inTransactionAtTime(async (tx) => {
    if (status === 'PAID') await post(tx, movements.withdrawalCompleted(movement));
    else await post(tx, movements.withdrawalRefused(movement));
    const endByStatus = {
      PAID: { status: 'completed', completed_at: time, end_to_end_id: 'E1' },
      ERROR: { status: 'failed', error: 'Recusado.' },
    };
    await updateWithdrawal(tx, withdrawal, endByStatus[status]);
  });
  return id;
}

describe('a key with the read scope', () => {
  test('looks up a withdrawal, in the fields and cents of the call that created it', async () => {
    const id = await givenWithdrawal('ERROR');
    const withdrawal = parseSuccess(apiGetWithdrawal.response, await getAsMerchant(`/withdraw/${id}`));
    expect(withdrawal).toMatchObject({
      withdrawal_id: id,
      status: 'ERROR',
      amount: 1000,
      fee: 150,
      returned_amount: 0,
      pix_key: 'maria@example.com',
      pix_key_type: 'email',
      error: 'Recusado.',
      completed_at: null,
    });
    for (const unknownId of [randomUUID(), 'saque-31'])
      expect(refusalOf(await getAsMerchant(`/withdraw/${unknownId}`))).toMatchObject({
        status: 404,
        code: 'WITHDRAWAL_NOT_FOUND',
      });
  });

  test('reads all withdrawals page by page, each once, newest first, also those with equal timestamps', async () => {
    const times = ['10', '10', '10', '11', '12'].map((day) => new Date(`2026-11-${day}T15:00:00Z`));
    const ids: string[] = [];
    for (const time of times) ids.push(await givenWithdrawal('PAID', time));
    const pages = [await listByApi('?limit=2')];
    for (let next = pages[0]?.next; next != null; next = pages.at(-1)?.next)
      pages.push(await listByApi(`?limit=2&before=${next}`));
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    const withdrawals = pages.flatMap(({ data }) => data);
    expect(withdrawals.map((withdrawal) => withdrawal.withdrawal_id).toSorted()).toEqual(ids.toSorted());
    const createdAt = withdrawals.map(({ created_at }) => created_at);
    expect(createdAt).toEqual(createdAt.toSorted().toReversed());
  });

  test('filters withdrawals by status and by days of São Paulo, the first and last included', async () => {
    const paid = await givenWithdrawal('PAID', new Date('2026-11-11T02:59:59Z'));
    const refused = await givenWithdrawal('ERROR', new Date('2026-11-11T03:00:00Z'));
    const pending = await givenWithdrawal('PENDING', new Date('2026-11-12T15:00:00Z'));
    const listIds = async (query: string) =>
      (await listByApi(query)).data.map(({ withdrawal_id }) => withdrawal_id);
    expect(await listIds('')).toEqual([pending, refused, paid]);
    expect(await listIds('?status=PENDING')).toEqual([pending]);
    expect(await listIds('?status=PAID')).toEqual([paid]);
    expect(await listIds('?status=ERROR')).toEqual([refused]);
    expect(await listIds('?to=2026-11-10')).toEqual([paid]);
    expect(await listIds('?from=2026-11-11&to=2026-11-11')).toEqual([refused]);
    expect(await listIds('?from=2026-11-11')).toEqual([pending, refused]);
    expect(refusalOf(await getAsMerchant('/withdraw?before=abc')).code).toBe('INVALID_QUERY');
    expect(refusalOf(await getAsMerchant('/withdraw?status=completed')).code).toBe('INVALID_QUERY');
  });

  test('reads the balance in reais, with the amount in transit shown separately', async () => {
    const readBalance = async () => parseSuccess(getBalance.response, await getAsMerchant('/balance'));
    const before = await readBalance();
    expect(before).toMatchObject({ reserved: 0, blocked: 0, in_transit: 0, owed: 0 });
    await givenWithdrawal('PENDING');
    const { available, in_transit } = await readBalance();
    expect([before.available - available, in_transit]).toEqual([10, 10]);
  });

  test('reads nothing of other merchants, and without the scope nothing at all', async () => {
    const id = await givenWithdrawal('PAID');
    const other = await givenMerchant(gateway);
    expect(
      parseSuccess(apiListWithdrawals.response, await getAsMerchant('/withdraw', other.apiKey)).data,
    ).toEqual([]);
    expect((await getAsMerchant(`/withdraw/${id}`, other.apiKey)).status).toBe(404);
    const scopedKey = { name: 'Loja', scopes: ['charges', 'withdrawals'] };
    const { body } = await gateway.api('POST', '/authed/keys', scopedKey, { token: merchant.token });
    const { apiKey } = body as { apiKey: string };
    for (const path of [`/withdraw/${id}`, '/withdraw', '/balance'])
      expect(refusalOf(await getAsMerchant(path, apiKey))).toMatchObject({
        code: 'KEY_SCOPE_MISSING',
        details: { scope: 'read' },
      });
  });
});

describe('an integrator’s mistake is explained where it is made', () => {
  test('a period that ends before it begins, in every list with dates', async () => {
    for (const path of ['/pix', '/withdraw', '/authed/feed/transactions']) {
      const url = `${path}?from=2026-11-12&to=2026-11-11`;
      const response = await gateway.api(
        'GET',
        url,
        undefined,
        path.startsWith('/authed') ? { token: merchant.token } : { apiKey: merchant.apiKey },
      );
      expect([path, refusalOf(response)]).toMatchObject([
        path,
        { status: 400, code: 'INVALID_QUERY', details: { fields: [{ field: 'from' }] } },
      ]);
      expect(
        (
          await getAsMerchant(
            `${path.replace('/authed/feed/transactions', '/pix')}?from=2026-11-11&to=2026-11-11`,
          )
        ).status,
      ).toBe(200);
    }
  });

  test.each([
    ['/pix/new', { amount: '10' }, 'amount', 'número, em reais e sem aspas'],
    [`/pix/${randomUUID()}/refund`, { amount: '10' }, 'amount', 'número, em reais e sem aspas'],
    [
      '/withdraw',
      { amount: '1000', pixKey: 'a@b.c', keyType: 'email' },
      'amount',
      'inteiro, em centavos e sem aspas',
    ],
    [
      '/webhooks/endpoints',
      { url: 'https://loja.example', events: 'payment.paid' },
      'events',
      'uma lista de tipos',
    ],
  ])('a field of the wrong type, reported once: %s', async (path, body, field, message) => {
    const response = await gateway.api('POST', path, body, { apiKey: merchant.apiKey });
    expect(refusalOf(response)).toMatchObject({
      status: 400,
      code: 'INVALID_BODY',
      message: expect.stringContaining(message),
      details: { fields: [{ field, message: expect.stringContaining(message) }] },
    });
  });

  test('an API key sent as a session token, where a session still works', async () => {
    const bearer = (token: string, path: string, method = 'GET') =>
      gateway.api(method, path, method === 'GET' ? undefined : {}, { token });
    const { apiKey, token } = merchant;
    const refusal = { status: 401, message: expect.stringContaining('no cabeçalho x-api-key') };
    expect(refusalOf(await bearer(apiKey, '/balance'))).toMatchObject({
      ...refusal,
      code: 'UNAUTHENTICATED',
    });
    expect(refusalOf(await bearer(apiKey, '/withdraw', 'POST'))).toMatchObject({
      ...refusal,
      code: 'UNAUTHENTICATED',
    });
    expect((await bearer(token, '/balance')).status).toBe(200);
    expect(refusalOf(await bearer('nenhuma', '/balance')).message).not.toContain('x-api-key');
  });
});
