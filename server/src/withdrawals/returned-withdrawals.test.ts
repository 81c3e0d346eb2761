import { walletStats } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { readPayoutsStop, writePayoutsStop } from '../payouts-stop.ts';
import { type BankPayout, HOUSE_CONNECTION, storeHints } from '../psp/index.ts';
import { reconcileWithdrawals, rereadSentPixList } from './reconcile-withdrawals.ts';
import { settleWithdrawal } from './settle-withdrawal.ts';

let stand: WithdrawalStand;
let merchant: GivenMerchant;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  // Returns that a test invents never reach the bank's account, so the operator's own money covers the difference.
  await stand.gateway.bank.moveMoney('deposit', 1_000_000);
});
afterAll(() => stand.gateway.stop());
beforeEach(async () => {
  await stand.advanceToNoon();
  merchant = await stand.createFundedMerchant(1000);
});
afterEach(async () => {
  await stand.gateway.bank.setBehaviour({});
  // A payout that the ledger did not debit stops the others.
  await inTransaction(stand.deps, (tx) => writePayoutsStop(tx, null));
});

const daySeconds = 86_400;
const readOwnBalances = () => readBalances(stand.deps.db, merchant.id);

/** Looks a withdrawal up because of a hint. The bank's own notice may be storing the same hint, which a look-up then skips. */
async function lookUpByHint(id: string): Promise<void> {
  const { db, clock } = stand.deps;
  const { id_envio: reference } = await stand.rowOf(id);
  await storeHints({ db, now: clock.now() }, HOUSE_CONNECTION, [{ kind: 'payout', reference }]);
  const hints = db.selectFrom('bank_hints').select('reference').where('reference', '=', reference);
  await expect
    .poll(async () => {
      await stand.lookUpDueWithdrawals();
      return hints.execute();
    })
    .toEqual([]);
}

/** Creates a withdrawal that is sent, paid, and returned after this long; returns its id. */
async function givenReturnedAfter(seconds: number): Promise<string> {
  await stand.gateway.bank.setBehaviour({ payouts: 'returned', payoutReturnSeconds: seconds });
  const { id } = await stand.requestWithdrawalByApi(merchant, 20_000, 'http://127.0.0.1:9/hook');
  await stand.sendDueWithdrawals();
  await stand.advanceUntilStatus(merchant, id, 'completed');
  return id;
}

async function expectReturned(id: string): Promise<void> {
  const found = await stand.readWithdrawal(merchant, id);
  expect(found).toMatchObject({ status: 'failed', returned_cents: 19_850, net_cents: 19_850 });
  expect(found.completed_at).not.toBeNull();
  expect(found.error).toBe('O banco de quem recebe devolveu o Pix: R$\u00a0198,50 voltaram ao seu saldo.');
  expect(await readOwnBalances()).toMatchObject({ available: 99_850, in_transit: 0, fees: 150 });
}

describe('a returned payout', () => {
  test('is credited to the merchant, less the fee, and notified', async () => {
    const id = await givenReturnedAfter(3600);
    await stand.gateway.advance(3601);
    await lookUpByHint(id);
    await expectReturned(id);
    const [, , returned] = await stand.readEvents(id);
    expect(returned?.event).toMatch(/^returned_D\w{31}$/);
    expect(returned?.body).toMatchObject({
      type: 'withdrawal.error',
      status: 'ERROR',
      amount: 20_000,
      fee: 150,
      returned_amount: 19_850,
      error: (await stand.readNotifications(merchant)).at(-1)?.body,
    });
    expect((await stand.readNotifications(merchant)).at(-1)?.title).toBe('Saque devolvido');
    const stats = await stand.gateway.api('GET', '/authed/wallet/stats', undefined, {
      token: merchant.token,
    });
    expect(parseSuccess(walletStats, stats)).toMatchObject({
      total_withdrawn: 0,
      withdrawals_count: 0,
      total_transactions: 1,
    });
    await lookUpByHint(id);
    await rereadSentPixList(stand.deps);
    await expectReturned(id);
  });

  test('is found in the bank’s list without a hint, even after 90 days', async () => {
    const id = await givenReturnedAfter(89 * daySeconds);
    await stand.gateway.advance(30 * daySeconds);
    expect(await rereadSentPixList(stand.deps)).toBe(0);
    expect((await stand.readWithdrawal(await stand.signIn(merchant), id)).status).toBe('completed');
    await stand.gateway.advance(60 * daySeconds);
    await rereadSentPixList(stand.deps);
    merchant = await stand.signIn(merchant);
    await expectReturned(id);
  });

  test('can be withdrawn again', async () => {
    await givenReturnedAfter(60);
    await stand.gateway.advance(61);
    await rereadSentPixList(stand.deps);
    await stand.gateway.bank.setBehaviour({});
    const { id } = await stand.ask(merchant, { amount: 998.5 });
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');
  });
});

describe('a payout returned in parts', () => {
  /** Settles a withdrawal as if the bank had reported this payout. */
  async function settle(id: string, change: Partial<BankPayout>) {
    const row = await stand.rowOf(id);
    const payout: BankPayout = {
      idEnvio: row.id_envio,
      endToEndId: row.end_to_end_id ?? undefined,
      status: 'completed',
      amountCents: row.amount_cents - row.fee_cents,
      pixKey: row.pix_key,
      requestedAt: undefined,
      refusal: undefined,
      returned: [],
      ...change,
    };
    return inTransaction(stand.deps, (tx) =>
      settleWithdrawal(tx, { merchantId: merchant.id, id }, { is: 'answered', answer: payout }),
    );
  }
  const partialReturn = (rtrId: string, amountCents: number) => ({
    rtrId,
    amountCents,
    at: stand.deps.clock.now(),
  });

  async function givenPaid(): Promise<string> {
    const { id } = await stand.requestWithdrawalByApi(merchant, 20_000, 'http://127.0.0.1:9/hook');
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');
    return id;
  }

  test('is booked part by part, each once; the withdrawal becomes failed with the last part', async () => {
    const id = await givenPaid();
    const [first, second] = [
      partialReturn(`Da${id.slice(0, 8)}`, 5000),
      partialReturn(`Db${id.slice(0, 8)}`, 14_850),
    ];
    await settle(id, { returned: [first] });
    await settle(id, { returned: [first] });
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({
      status: 'completed',
      returned_cents: 5000,
      error: 'O banco de quem recebe devolveu R$\u00a050,00 de R$\u00a0198,50, que voltaram ao seu saldo.',
    });
    expect(await readOwnBalances()).toMatchObject({ available: 85_000 });
    const stats = await stand.gateway.api('GET', '/authed/wallet/stats', undefined, {
      token: merchant.token,
    });
    expect(parseSuccess(walletStats, stats)).toMatchObject({ total_withdrawn: 150, withdrawals_count: 1 });
    await settle(id, { returned: [second, first] });
    await expectReturned(id);
    expect((await stand.readEvents(id)).slice(2)).toMatchObject([
      { body: { type: 'withdrawal.paid', status: 'PAID', returned_amount: 5000 } },
      { body: { type: 'withdrawal.error', status: 'ERROR', returned_amount: 19_850 } },
    ]);
  });

  test('is booked after its completion when both are reported together', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'slow', slowSeconds: 3600 });
    const { id } = await stand.ask(merchant, { amount: 200 });
    await stand.sendDueWithdrawals();
    const fullReturn = { returned: [partialReturn(`Dc${id.slice(0, 8)}`, 19_850)] };
    await settle(id, fullReturn);
    expect(await stand.rowOf(id)).toMatchObject({ status: 'completed', due_at: expect.any(Date) });
    await settle(id, fullReturn);
    await expectReturned(id);
  });

  test('in excess of its amount opens an item for the operator, and nothing is booked', async () => {
    const id = await givenPaid();
    const { alarm } = await settle(id, { returned: [partialReturn(`Dd${id.slice(0, 8)}`, 19_851)] });
    expect(alarm).toBeDefined();
    expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-differs']);
    expect(await readOwnBalances()).toMatchObject({ available: 80_000 });
  });

  test('is booked once when the bank lists a part twice', async () => {
    const id = await givenPaid();
    const repeated = partialReturn(`De${id.slice(0, 8)}`, 5000);
    await settle(id, { returned: [repeated, repeated] });
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({
      status: 'completed',
      returned_cents: 5000,
    });
    expect(await readOwnBalances()).toMatchObject({ available: 85_000 });
  });

  test('in excess of its amount together with booked parts opens an item for the operator', async () => {
    const id = await givenPaid();
    await settle(id, { returned: [partialReturn(`Df${id.slice(0, 8)}`, 5000)] });
    await settle(id, { returned: [partialReturn(`Dg${id.slice(0, 8)}`, 14_851)] });
    expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-differs']);
    expect(await readOwnBalances()).toMatchObject({ available: 85_000 });
  });

  test('is not booked from a reply with a different amount, key or order', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'accepted-then-timeout', confirmations: 'down' });
    const { id } = await stand.ask(merchant, { amount: 200 });
    await stand.sendDueWithdrawals();
    for (const change of [{ amountCents: 20_000 }, { pixKey: 'joao@example.com' }, { idEnvio: 'other' }]) {
      await settle(id, change);
      expect(await stand.rowOf(id)).toMatchObject({ status: 'processing', end_to_end_id: null });
    }
    expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-differs']);
    await stand.gateway.bank.setBehaviour({});
    await settle(id, { pixKey: undefined });
    expect((await stand.readWithdrawal(merchant, id)).status).toBe('completed');
    expect(await stand.readOpenItemKinds(id)).toEqual([]);
  });
});

describe('the bank’s list of payouts', () => {
  const reconcile = () => reconcileWithdrawals(stand.deps);
  const sendWithoutLedger = (idEnvio: string, amountCents: number) =>
    stand.deps.psp.payouts?.sendPayout({ idEnvio, amountCents, pixKey: 'joao@example.com', note: '' });

  test('completes withdrawals without a reply or hint', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'slow', slowSeconds: 500 });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    await reconcile();
    await stand.gateway.advance(501);
    await reconcile();
    expect((await stand.readWithdrawal(merchant, id)).status).toBe('completed');
  });

  test('reveals a payout that the ledger never debited: an item for the operator, once', async () => {
    expect(await reconcile()).toBe(0);
    await sendWithoutLedger(`alheio${merchant.id}`, 700);
    await stand.gateway.advance(60);
    expect(await reconcile()).toBe(1);
    expect(await readPayoutsStop(stand.deps.db)).toBe('os livros não debitaram o dinheiro de um envio');
    expect(await reconcile()).toBe(1);
    expect(await stand.readOpenItemKinds(`alheio${merchant.id}`)).toEqual(['payout-not-debited']);
    await stand.gateway.bank.setBehaviour({ payouts: 'refused' });
    await sendWithoutLedger(`negado${merchant.id}`, 700);
    await stand.gateway.advance(60);
    await reconcile();
    expect(await stand.readOpenItemKinds(`negado${merchant.id}`)).toEqual([]);
  });

  test('reveals a payout whose money was credited back to the merchant', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'accepted-then-timeout', confirmations: 'down' });
    const { id } = await stand.ask(merchant);
    await stand.sendDueWithdrawals();
    await stand.gateway.advance(3600);
    await stand.lookUpDueWithdrawals();
    await stand.resolve(merchant, id, { outcome: 'refused', evidence: 'engano do operador' });
    expect(await readOwnBalances()).toMatchObject({ available: 100_000, in_transit: 0 });
    await stand.gateway.bank.setBehaviour({});
    await stand.gateway.advance(60);
    await rereadSentPixList(stand.deps);
    expect(await stand.readOpenItemKinds(id)).toEqual(['withdrawal-differs']);
    expect(await readOwnBalances()).toMatchObject({ available: 100_000, in_transit: 0 });
  });

  test('is not read for the time before the gateway was set up', async () => {
    await sendWithoutLedger(`outrora${merchant.id}`, 700);
    await stand.gateway.advance(daySeconds);
    const updateGateway = () => stand.deps.db.updateTable('gateway');
    const { created_at } = await stand.deps.db
      .selectFrom('gateway')
      .select('created_at')
      .executeTakeFirstOrThrow();
    await updateGateway().set({ created_at: stand.deps.clock.now() }).execute();
    await rereadSentPixList(stand.deps);
    expect(await stand.readOpenItemKinds(`outrora${merchant.id}`)).toEqual([]);
    await updateGateway().set({ created_at }).execute();
    await rereadSentPixList(stand.deps);
    expect(await stand.readOpenItemKinds(`outrora${merchant.id}`)).toEqual(['payout-not-debited']);
  });

  test('is read from where the last run ended, however long ago', async () => {
    await reconcile();
    await sendWithoutLedger(`antigo${merchant.id}`, 700);
    await stand.gateway.advance(5 * daySeconds);
    await reconcile();
    expect(await stand.readOpenItemKinds(`antigo${merchant.id}`)).toEqual(['payout-not-debited']);
    const { read_until } = await stand.deps.db
      .selectFrom('payout_list_position')
      .select('read_until')
      .executeTakeFirstOrThrow();
    expect(stand.deps.clock.now().getTime() - read_until.getTime()).toBeLessThan(daySeconds * 1000);
  });
});

describe('an operator’s evidence', () => {
  async function givenInDoubt(): Promise<string> {
    await stand.gateway.bank.setBehaviour({ payouts: 'down', confirmations: 'down' });
    const { id } = await stand.ask(merchant, { amount: 100 });
    await stand.sendDueWithdrawals();
    await stand.gateway.advance(3600);
    await stand.lookUpDueWithdrawals();
    return id;
  }

  test('resolves a withdrawal of unknown outcome as paid, under the operator’s name', async () => {
    const id = await givenInDoubt();
    const evidence = 'Comprovante 123 do banco';
    const end_to_end_id = 'E12345678202611221200abcdef12345';
    const body = { outcome: 'paid', evidence, end_to_end_id };
    const responses = [await stand.resolve(merchant, id, body), await stand.resolve(merchant, id, body)];
    expect(responses.map(({ status }) => status)).toEqual([200, 409]);
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({ status: 'completed', end_to_end_id });
    expect(await readOwnBalances()).toMatchObject({ available: 90_000, in_transit: 0, fees: 150 });
    const entry = await stand.deps.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'subject_id', 'reason'])
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(entry).toEqual({
      actor_id: stand.admin.id,
      action: 'withdrawal resolved',
      subject_id: merchant.id,
      reason: evidence,
    });
    const item = stand.deps.db.selectFrom('open_items').select(['closed_by', 'evidence']);
    expect(await item.where('reference', '=', id).executeTakeFirst()).toEqual({
      closed_by: stand.admin.id,
      evidence,
    });
  });

  test('is required, and resolves a withdrawal of the named merchant only', async () => {
    const other = await stand.createFundedMerchant(10);
    const id = await givenInDoubt();
    const evidence = 'Comprovante 123 do banco';
    const responses = [
      await stand.resolve(merchant, id, { outcome: 'paid', evidence: 'ok' }),
      await stand.resolve(merchant, id, { outcome: 'perhaps', evidence }),
      await stand.resolve(other, id, { outcome: 'paid', evidence }),
      await stand.gateway.api(
        'POST',
        `/admin/users/abc/withdrawals/${id}/resolve`,
        { outcome: 'paid', evidence },
        { token: stand.admin.token },
      ),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
    expect((await stand.readWithdrawal(merchant, id)).status).toBe('processing');
    await stand.gateway.bank.setBehaviour({});
    await stand.resolve(merchant, id, { outcome: 'refused', evidence });
  });
});
