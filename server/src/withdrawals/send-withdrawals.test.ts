import { walletStats } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { givenDispute } from '../../test/given-dispute.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { HOUSE_CONNECTION, storeHints } from '../psp/index.ts';
import { claimNextWithdrawal, sendingRulesFrom } from './claim-withdrawals.ts';

let stand: WithdrawalStand;
let merchant: GivenMerchant;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());
beforeEach(async () => {
  merchant = await stand.createFundedMerchant(1000);
});
afterEach(() => stand.gateway.bank.setBehaviour({}));

const hour = 3600;
const readOwnBalances = () => readBalances(stand.deps.db, merchant.id);
const storeHint = (idEnvio: string) =>
  storeHints({ db: stand.deps.db, now: stand.deps.clock.now() }, HOUSE_CONNECTION, [
    { kind: 'payout', reference: idEnvio },
  ]);
const claimNext = () =>
  inTransaction(stand.deps, (tx) => claimNextWithdrawal(tx, sendingRulesFrom(stand.deps)));

describe('a withdrawal executed by the bank', () => {
  test('is sent once, less the fee, and booked when the bank confirms it', async () => {
    const { id } = await stand.ask(merchant, { amount: 100 });
    await stand.sendDueWithdrawals();
    expect(await readOwnBalances()).toMatchObject({ available: 90_000, in_transit: 10_000 });
    const completed = await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(completed).toMatchObject({ error: null, in_doubt: false, returned_cents: 0 });
    expect(completed.end_to_end_id).toMatch(/^E\w{31}$/);
    expect(await stand.payoutsOf(id)).toMatchObject([
      {
        amountCents: 9850,
        pixKey: 'maria@example.com',
        status: 'REALIZADO',
        endToEndId: completed.end_to_end_id,
      },
    ]);
    expect(await readOwnBalances()).toMatchObject({
      available: 90_000,
      in_transit: 0,
      fees: 150,
      psp: -90_150,
    });
  });

  test('appears in the wallet as withdrawn, and is the last transaction there', async () => {
    const { id } = await stand.ask(merchant, { amount: 100 });
    await stand.sendDueWithdrawals();
    const { completed_at } = await stand.advanceUntilStatus(merchant, id, 'completed');
    const stats = await stand.gateway.api('GET', '/authed/wallet/stats', undefined, {
      token: merchant.token,
    });
    expect(parseSuccess(walletStats, stats)).toMatchObject({
      total_withdrawn: 100,
      withdrawals_count: 1,
      pending_withdrawals: 0,
      pending_withdrawals_count: 0,
      total_transactions: 2,
      failed_transactions_count: 0,
      last_transaction_date: completed_at,
    });
  });

  test('is looked up early when the bank sends a hint', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'slow', slowSeconds: 100, notifications: 'never' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(90);
    await stand.gateway.bank.advance(20);
    expect(await stand.lookUpDueWithdrawals()).toBe(0);
    await storeHint((await stand.rowOf(id)).id_envio);
    await storeHint('not0of0ours');
    expect(await stand.lookUpDueWithdrawals()).toBe(1);
    expect((await stand.readWithdrawal(merchant, id)).status).toBe('completed');
    const remainingHints = stand.deps.db
      .selectFrom('bank_hints')
      .select('reference')
      .where('kind', '=', 'payout');
    expect(await remainingHints.execute()).toEqual([]);
  });

  test('is reported to the merchant and to their system, in integer cents, each status once', async () => {
    const { id } = await stand.requestWithdrawalByApi(merchant, 20_000, 'http://127.0.0.1:9/hook');
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');
    const expectedFields = { id, withdrawalId: id, amount: 20_000, fee: 150 };
    expect(await stand.readEvents(id)).toMatchObject([
      { event: 'pending', body: { type: 'withdrawal.pending', status: 'PENDING', ...expectedFields } },
      { event: 'paid', body: { type: 'withdrawal.paid', status: 'PAID', ...expectedFields } },
    ]);
    expect((await stand.readNotifications(merchant)).at(-1)).toEqual({
      title: 'Saque concluído',
      body: 'R$\u00a0198,50 foram enviados para a chave maria@example.com.',
    });
  });
});

test('a withdrawal is shown on open screens at each step', async () => {
  const { id } = await stand.ask(merchant);
  await stand.sendDueWithdrawals();
  await stand.advanceUntilStatus(merchant, id, 'completed');
  const rows = await stand.deps.db.selectFrom('outbox').select('payload').orderBy('id').execute();
  const lines = rows.flatMap(({ payload }) => payload?.split('\n') ?? []);
  const steps = lines.filter((line) => line.includes('"type":"withdrawal"') && line.includes(id));
  expect(steps.map((line) => JSON.parse(line.slice(line.indexOf(' '))).withdrawal.status)).toEqual([
    'pending',
    'processing',
    'completed',
  ]);
});

describe('a definite refusal returns the money', () => {
  test.each(['refused', 'refused-in-call'])('%s', async (payouts) => {
    await stand.gateway.bank.setBehaviour({ payouts });
    const { id } = await stand.requestWithdrawalByApi(merchant, 20_000, 'http://127.0.0.1:9/hook');
    await stand.sendDueWithdrawals();
    const failed = await stand.advanceUntilStatus(merchant, id, 'failed');
    expect(failed.error).toMatch(/ O valor voltou ao seu saldo\.$/);
    expect(failed.completed_at).toBeNull();
    expect(await readOwnBalances()).toMatchObject({ available: 100_000, in_transit: 0, fees: 0 });
    expect(await stand.readEvents(id)).toMatchObject([
      { event: 'pending' },
      {
        event: 'error',
        body: { type: 'withdrawal.error', status: 'ERROR', amount: 20_000, error: failed.error },
      },
    ]);
    expect((await stand.readNotifications(merchant)).at(-1)?.title).toBe('Saque não realizado');
    expect(await stand.readOpenItemKinds(id)).toEqual([]);
  });

  test('a key that does not exist is reported as such', async () => {
    const pixKey = '00000000-0000-4000-8000-000000001409';
    const { id } = await stand.ask(merchant, { pix_key_type: 'random', pixKey });
    await stand.sendDueWithdrawals();
    expect((await stand.advanceUntilStatus(merchant, id, 'failed')).error).toBe(
      'A chave PIX não existe ou não recebe Pix. O valor voltou ao seu saldo.',
    );
  });

  test('a callback that contradicts the bank’s record is ignored', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'wrong-notification' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    await storeHint((await stand.rowOf(id)).id_envio);
    await stand.advanceUntilStatus(merchant, id, 'failed');
    expect(await readOwnBalances()).toMatchObject({ available: 100_000, in_transit: 0 });
  });
});

describe('an unknown outcome moves no money', () => {
  test('an order accepted without a response is found, and paid once', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'accepted-then-timeout' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    expect(await stand.rowOf(id)).toMatchObject({ status: 'processing', end_to_end_id: null });
    expect(await readOwnBalances()).toMatchObject({ available: 95_000, in_transit: 5000 });
    await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(await stand.payoutsOf(id)).toHaveLength(1);
    expect((await stand.rowOf(id)).send_count).toBe(1);
  });

  test('a lost order is resent under the same id, after two minutes unknown to the bank', async () => {
    // Less the fee, the bank receives R$ 14,05, an amount of which Banco Sandbox loses the first order.
    const { id } = await stand.ask(merchant, { amount: 15.55 });
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(id)).toEqual([]);
    await stand.advanceInSteps(110);
    expect(await stand.rowOf(id)).toMatchObject({ send_count: 1, status: 'processing' });
    expect((await stand.readWithdrawal(merchant, id)).in_doubt).toBe(true);
    await stand.advanceInSteps(60);
    expect((await stand.rowOf(id)).send_count).toBe(2);
    await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(await stand.payoutsOf(id)).toHaveLength(1);
  });

  test.for([
    'an open dispute claim',
    'no API withdrawal allowed any more',
    'no saved destination any more',
  ] as const)(
    'an order unknown to the bank is not resent while there is %s: it opens an item for the operator',
    async (obstacle) => {
      await stand.gateway.bank.setBehaviour({ payouts: 'down' });
      const { id } = await stand.requestWithdrawalByApi(merchant, 5000, 'http://127.0.0.1:9/hook');
      await stand.sendDueWithdrawals();
      await stand.gateway.bank.setBehaviour({});
      await createObstacle[obstacle]();
      await stand.advanceInSteps(300);
      expect(await stand.rowOf(id)).toMatchObject({ status: 'processing', send_count: 1 });
      expect((await stand.rowOf(id)).not_found_count).toBeGreaterThan(3);
      await stand.gateway.advance(hour);
      await stand.lookUpDueWithdrawals();
      expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-in-doubt']);
      const resolution = { outcome: 'refused', evidence: 'Extrato do banco: não consta.' };
      expect((await stand.resolve(merchant, id, resolution)).status).toBe(200);
    },
  );

  const createObstacle = {
    'an open dispute claim': async () => {
      await givenAdjustment(stand.deps, merchant.id, -95_000);
      const received = stand.deps.db.selectFrom('received_pix').select('end_to_end_id');
      const pix = await received.where('merchant_id', '=', merchant.id).executeTakeFirstOrThrow();
      await givenDispute(stand.gateway, merchant, { endToEndId: pix.end_to_end_id });
    },
    'no API withdrawal allowed any more': () =>
      stand.gateway.api('PUT', '/authed/api-withdrawals', { enabled: false }, merchant),
    'no saved destination any more': () =>
      stand.gateway.api(
        'POST',
        '/authed/api-withdrawals/destinations/remove',
        { pixKey: 'maria@example.com' },
        merchant,
      ),
  };

  test('an order is not resent while the bank does not respond to look-ups', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'down', confirmations: 'down' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    for (let tries = 0; tries < 4; tries += 1) {
      await stand.gateway.advance(40);
      await stand.lookUpDueWithdrawals();
    }
    expect(await stand.rowOf(id)).toMatchObject({ send_count: 1, not_found_count: 0, lookup_count: 4 });
    await stand.gateway.bank.setBehaviour({});
    // A single look-up that does not find the order is not enough.
    await stand.gateway.advance(60);
    await stand.lookUpDueWithdrawals();
    expect(await stand.rowOf(id)).toMatchObject({ send_count: 1, not_found_count: 1 });
    await stand.advanceInSteps(300);
    await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(await stand.payoutsOf(id)).toHaveLength(1);
  });

  test('a refusal of a resend is not trusted, since the first send may have been accepted', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'down' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    await stand.gateway.bank.setBehaviour({ payouts: 'refused-in-call' });
    await stand.advanceInSteps(300);
    expect((await stand.rowOf(id)).send_count).toBeGreaterThan(1);
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({ status: 'processing', in_doubt: true });
    expect(await readOwnBalances()).toMatchObject({ available: 95_000, in_transit: 5000 });
    await stand.gateway.bank.setBehaviour({});
    await stand.advanceInSteps(300);
    await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(await stand.payoutsOf(id)).toHaveLength(1);
  });

  test('an order of unknown outcome opens an item for the operator after an hour, is still looked up, and never resent', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'down', confirmations: 'down' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    expect((await stand.resolve(merchant, id, { outcome: 'refused', evidence: 'cedo demais' })).status).toBe(
      409,
    );
    await stand.gateway.advance(hour);
    await stand.lookUpDueWithdrawals();
    expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-in-doubt']);
    await stand.gateway.bank.setBehaviour({});
    await stand.pollBankBalance();
    for (let tries = 0; tries < 6; tries += 1) {
      await stand.gateway.advance(hour / 4);
      await stand.lookUpDueWithdrawals();
    }
    expect(await stand.rowOf(id)).toMatchObject({ send_count: 1, status: 'processing' });
    expect((await stand.rowOf(id)).not_found_count).toBeGreaterThan(3);
    expect(await stand.payoutsOf(id)).toEqual([]);
    const evidence = 'Extrato do banco: não consta.';
    expect((await stand.resolve(merchant, id, { outcome: 'refused', evidence })).status).toBe(200);
    expect(await stand.readOpenItemKinds(id)).toEqual([]);
    expect(await readOwnBalances()).toMatchObject({ available: 100_000, in_transit: 0 });
  });

  test('an outcome that the bank reports later closes the item for the operator', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'accepted-then-timeout', confirmations: 'down' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    await stand.gateway.advance(hour);
    await stand.lookUpDueWithdrawals();
    expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-in-doubt']);
    await stand.gateway.bank.setBehaviour({});
    await stand.gateway.advance(hour / 4);
    await stand.lookUpDueWithdrawals();
    expect((await stand.readWithdrawal(merchant, id)).status).toBe('completed');
    expect(await stand.readOpenItemKinds(id)).toEqual([]);
  });
});

describe('a crash', () => {
  test('between the claim and the bank’s response leaves an order that is looked up, and paid once', async () => {
    const { id } = await stand.ask(merchant);
    const claimed = await claimNext();
    expect(claimed).toMatchObject({ is: 'claimed', withdrawal: { id, sendCount: 1, status: 'processing' } });
    expect([await stand.sendDueWithdrawals(), await stand.lookUpDueWithdrawals()]).toEqual([0, 0]);
    await stand.advanceInSteps(80);
    expect(await stand.rowOf(id)).toMatchObject({ send_count: 1, lookup_count: 0 });
    await stand.advanceInSteps(200);
    await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(await stand.payoutsOf(id)).toHaveLength(1);
  });

  test('after the bank accepted it leaves an order that is looked up, and paid once', async () => {
    const { id } = await stand.ask(merchant);
    const claimed = await claimNext();
    if (claimed.is !== 'claimed') throw new Error('It was not claimed.');
    const { idEnvio, pixKey } = claimed.withdrawal;
    await stand.deps.psp.payouts?.sendPayout({ idEnvio, pixKey, amountCents: 4850, note: '' });
    await stand.advanceInSteps(100);
    await stand.advanceUntilStatus(merchant, id, 'completed');
    expect(await stand.payoutsOf(id)).toHaveLength(1);
    expect((await stand.rowOf(id)).send_count).toBe(1);
  });
});
