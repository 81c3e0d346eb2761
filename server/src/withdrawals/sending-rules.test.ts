import { adminPayouts, outFees } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import { withPsp } from '../../test/with-psp.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { createPool } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { findExceededCap } from './caps.ts';
import { holdWithdrawals } from './hold-withdrawals.ts';
import { resumePayouts } from './stop-and-resume-payouts.ts';

let stand: WithdrawalStand;
let merchant: GivenMerchant;

beforeAll(async () => {
  stand = await WithdrawalStand.start({
    WITHDRAWAL_MAX: '1000',
    WITHDRAWAL_DAY: '1500',
    WITHDRAWAL_NIGHT: '400',
    GATEWAY_DAY: '2500',
  });
});
afterAll(() => stand.gateway.stop());
beforeEach(async () => {
  // Each test has its own day, so that earlier withdrawals do not count against limits.
  await stand.advanceToNoon();
  merchant = await stand.createFundedMerchant(3000);
});
afterEach(() => stand.gateway.bank.setBehaviour({}));

const hour = 3600;
const readOwnBalances = () => readBalances(stand.deps.db, merchant.id);
const postPayouts = (path: string, body: Record<string, unknown>) =>
  stand.gateway.api('POST', `/admin/payouts/${path}`, body, { token: stand.admin.token });
const isBankInDoubt = async () => {
  const response = await stand.gateway.api('GET', '/admin/payouts', undefined, {
    token: stand.admin.token,
  });
  return parseSuccess(adminPayouts.response, response).bank_in_doubt;
};
const codeOf = ({ body }: { body: unknown }) => (body as { error?: { code?: string } }).error?.code ?? 'done';

/** Requests a withdrawal. Returns `accepted`, or the code of the refusal. */
async function tryToRequest(amount: number, requester = merchant): Promise<string> {
  const body = { amount, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: '2580' };
  const response = await stand.gateway.api('POST', '/authed/withdraw', body, { token: requester.token });
  return response.status === 201 ? 'accepted' : codeOf(response);
}

/** Requests a withdrawal, sends it, and waits until it is paid. */
async function withdraw(amount: number, requester = merchant): Promise<void> {
  const { id } = await stand.ask(requester, { amount });
  await stand.sendDueWithdrawals();
  await stand.advanceUntilStatus(requester, id, 'completed');
}

describe('the payouts stop', () => {
  test('delays queued withdrawals immediately, and says so; they leave after the stop is lifted', async () => {
    const { id } = await stand.ask(merchant, { amount: 100 });
    const stopped = await postPayouts('stop', { reason: 'conta em mudança' });
    expect(stopped.body).toMatchObject({ stopped_because: 'conta em mudança', waiting: 1, in_doubt: 0 });
    await stand.sendDueWithdrawals();
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({
      status: 'pending',
      error: 'Os envios estão suspensos pelo operador. O saque sai quando forem retomados.',
    });
    await stand.gateway.advance(60);
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(id)).toEqual([]);
    expect(await tryToRequest(10)).toBe('WITHDRAWALS_PAUSED');

    expect((await postPayouts('resume', { reason: 'pronto' })).body).toMatchObject({ stopped_because: null });
    await stand.pollBankBalance();
    await stand.sendDueWithdrawals();
    expect(await stand.advanceUntilStatus(merchant, id, 'completed')).toMatchObject({ error: null });
  });

  test('fails no waiting withdrawal: one that has to fail does so when payouts resume', async () => {
    const { id } = await stand.requestWithdrawalByApi(merchant, 10_000, 'http://127.0.0.1:9/hook');
    await postPayouts('stop', { reason: 'banco de dados restaurado' });
    const turnedOff = await stand.gateway.api('PUT', '/authed/api-withdrawals', { enabled: false }, merchant);
    expect(turnedOff.status).toBe(200);
    await stand.sendDueWithdrawals();
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({
      status: 'pending',
      error: 'Os envios estão suspensos pelo operador. O saque sai quando forem retomados.',
    });
    expect(await readOwnBalances()).toMatchObject({ available: 290_000, in_transit: 10_000 });
    expect((await postPayouts('resume', { reason: 'conferido' })).status).toBe(200);
    await stand.sendDueWithdrawals();
    expect((await stand.readWithdrawal(merchant, id)).status).toBe('failed');
  });

  test.each(['completed', 'failed'] as const)(
    'in restored books, a payout that the bank already %s is settled accordingly, and not resent',
    async (status) => {
      const { id } = await stand.requestWithdrawalByApi(merchant, 10_000, 'http://127.0.0.1:9/hook');
      const { id_envio: idEnvio, fee_cents } = await stand.rowOf(id);
      const order = { idEnvio, amountCents: 10_000 - fee_cents, pixKey: 'maria@example.com', note: 'Saque' };
      if (status === 'failed') await stand.gateway.bank.setBehaviour({ payouts: 'refused' });
      await stand.deps.psp.payouts?.sendPayout(order);
      await stand.gateway.advance(10);
      await postPayouts('stop', { reason: 'banco de dados restaurado' });
      await stand.gateway.api('PUT', '/authed/api-withdrawals', { enabled: false }, merchant);
      await stand.pollBankBalance();
      expect((await postPayouts('resume', { reason: 'conferido' })).body).toMatchObject({
        stopped_because: null,
      });
      await stand.sendDueWithdrawals();
      await stand.advanceUntilStatus(merchant, id, status);
      expect(await stand.rowOf(id)).toMatchObject({ send_count: 1 });
      expect(await stand.payoutsOf(id)).toHaveLength(1);
      expect(await stand.readOpenItemKinds(id)).toEqual([]);
    },
  );

  test('prevents the resending of orders with an unknown outcome, which are still looked up', async () => {
    const { id } = await stand.ask(merchant, { amount: 15.55 });
    await stand.sendDueWithdrawals();
    await postPayouts('stop', { reason: 'dúvida' });
    await stand.advanceInSteps(300);
    expect(await stand.rowOf(id)).toMatchObject({ send_count: 1, status: 'processing' });
    expect((await stand.rowOf(id)).lookup_count).toBeGreaterThan(5);
    await postPayouts('resume', { reason: 'pronto' });
    await stand.advanceInSteps(120);
    await stand.advanceUntilStatus(merchant, id, 'completed');
  });

  test('is in the audit log, with the administrator and the reason', async () => {
    await postPayouts('stop', { reason: 'primeiro' });
    await postPayouts('stop', { reason: 'segundo' });
    await postPayouts('resume', { reason: 'terceiro' });
    const entries = await stand.deps.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'subject_id', 'reason', 'before', 'after'])
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    const actorAndSubject = { actor_id: stand.admin.id, subject_id: 0 };
    expect(entries.toReversed()).toEqual([
      {
        ...actorAndSubject,
        action: 'payouts stopped',
        reason: 'primeiro',
        before: { stopped_because: null },
        after: { stopped_because: 'primeiro' },
      },
      {
        ...actorAndSubject,
        action: 'payouts stopped',
        reason: 'segundo',
        before: { stopped_because: 'primeiro' },
        after: { stopped_because: 'segundo' },
      },
      {
        ...actorAndSubject,
        action: 'payouts resumed',
        reason: 'terceiro',
        before: { stopped_because: 'segundo' },
        after: { stopped_because: null },
      },
    ]);
  });

  test('remains while the bank account does not cover the merchants’ money, or the bank does not report its balance', async () => {
    await postPayouts('stop', { reason: 'dúvida' });
    await stand.gateway.bank.setBehaviour({ confirmations: 'down' });
    expect(codeOf(await postPayouts('resume', { reason: 'x' }))).toBe('BANK_BALANCE_LOW');
    await stand.gateway.bank.setBehaviour({});
    const balance = await stand.gateway.bank.balanceCents();
    await stand.gateway.bank.moveMoney('withdrawal', balance);
    expect(codeOf(await postPayouts('resume', { reason: 'x' }))).toBe('BANK_BALANCE_LOW');
    await stand.gateway.bank.moveMoney('deposit', balance);
    expect(codeOf(await postPayouts('resume', { reason: 'x' }))).toBe('done');
  });

  test('is not lifted by a resume during which it was set again for another reason', async () => {
    await postPayouts('stop', { reason: 'dúvida' });
    const { payouts, ...psp } = stand.deps.psp;
    if (payouts === undefined) throw new Error('The bank sends nothing.');
    const listPayouts: typeof payouts.listPayouts = async function* (from, to) {
      yield* payouts.listPayouts(from, to);
      await postPayouts('stop', { reason: 'certificado roubado' });
    };
    const deps = withPsp(stand.deps, { ...psp, payouts: { ...payouts, listPayouts } });
    await expect(resumePayouts(deps, stand.admin.id, 'pronto')).rejects.toMatchObject({
      code: 'PAYOUTS_IN_QUESTION',
      message: expect.stringContaining('parados por outro motivo'),
    });
    expect((await postPayouts('stop', { reason: 'fim' })).body).toMatchObject({ stopped_because: 'fim' });
    const { before } = await stand.deps.db
      .selectFrom('audit_log')
      .select('before')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(before).toEqual({ stopped_because: 'certificado roubado' });
    expect(codeOf(await postPayouts('resume', { reason: 'x' }))).toBe('done');
  });

  test('is for administrators', async () => {
    const { token } = merchant;
    const stop = await stand.gateway.api('POST', '/admin/payouts/stop', { reason: 'x' }, { token });
    expect([stop.status, codeOf(stop)]).toEqual([403, 'FORBIDDEN']);
    expect((await stand.gateway.api('GET', '/admin/payouts', undefined, { token })).status).toBe(403);
  });
});

describe('a withdrawal does not leave', () => {
  test('while the bank’s balance is unknown', async () => {
    const { id } = await stand.ask(merchant, { amount: 100 });
    await stand.gateway.advance(600);
    await stand.sendDueWithdrawals();
    expect(await stand.readWithdrawal(merchant, id)).toMatchObject({
      status: 'pending',
      error: 'O saldo no banco está sendo conferido. O saque sai em seguida.',
    });
    expect(await isBankInDoubt()).toBe(true);
    await stand.gateway.advance(20);
    await stand.pollBankBalance();
    expect(await isBankInDoubt()).toBe(false);
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');
  });

  test('for an account that lost its approval, until it is approved again or an operator resolves it', async () => {
    const { id } = await stand.ask(merchant, { amount: 100 });
    await stand.approve(merchant, false);
    await stand.sendDueWithdrawals();
    const waiting = await stand.readWithdrawal(merchant, id);
    expect(waiting.status).toBe('pending');
    expect(waiting.error).toMatch(/^A conta não está aprovada\. /);
    expect(await readOwnBalances()).toMatchObject({ available: 290_000, in_transit: 10_000 });
    await stand.approve(merchant, true);
    await stand.gateway.advance(301);
    await stand.pollBankBalance();
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');

    const second = await stand.ask(merchant, { amount: 100 });
    await stand.approve(merchant, false);
    const evidence = 'conta encerrada a pedido';
    const paid = await stand.resolve(merchant, second.id, { outcome: 'paid', evidence });
    expect(codeOf(paid)).toBe('NOT_IN_DOUBT');
    expect(codeOf(await stand.resolve(merchant, second.id, { outcome: 'refused', evidence }))).toBe('done');
    expect((await stand.readWithdrawal(merchant, second.id)).status).toBe('failed');
    expect(await readOwnBalances()).toMatchObject({ available: 290_000, in_transit: 0 });
    await stand.gateway.advance(301);
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(second.id)).toEqual([]);
  });

  test('while its merchant is on hold', async () => {
    const { id } = await stand.ask(merchant, { amount: 100 });
    await inTransaction(stand.deps, (tx) => holdWithdrawals(tx, merchant.id, 'pin-changed'));
    await stand.sendDueWithdrawals();
    expect((await stand.readWithdrawal(merchant, id)).error).toMatch(
      /^Por segurança, os saques estão suspensos\. Este sai depois de /,
    );
    await stand.gateway.advance(23 * hour);
    await stand.pollBankBalance();
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(id)).toEqual([]);
    await stand.gateway.advance(hour + 1);
    await stand.pollBankBalance();
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(id)).toHaveLength(1);
    await stand.advanceInSteps(20);
  });

  test('if the ledger did not debit its money: an item is opened for the operator', async () => {
    const owner = createPool({ url: stand.gateway.database.ownerUrl, max: 1 });
    await owner.query('alter table withdrawals disable trigger new_withdrawals_posted');
    const id = '11111111-2222-4333-8444-555555555555';
    const now = stand.deps.clock.now();
    await owner.query(
      `insert into withdrawals (merchant_id, id, id_envio, status, origin, amount_cents, fee_cents, key_type, pix_key,
                                due_at, created_at, updated_at)
       values ($1, $2, 'forged', 'pending', 'api', 5000, 0, 'email', 'x@example.com', $3, $3, $3)`,
      [merchant.id, id, now],
    );
    await stand.sendDueWithdrawals();
    expect(await stand.rowOf(id)).toMatchObject({ status: 'pending', send_count: 0, due_at: null });
    expect(await stand.readOpenItemKinds(id)).toEqual(['payout-not-debited']);
    expect(await stand.payoutsOf(id)).toEqual([]);
    expect(codeOf(await postPayouts('resume', { reason: 'x' }))).toBe('PAYOUTS_IN_QUESTION');

    await owner.query('alter table withdrawals disable trigger user');
    await owner.query('delete from withdrawals where id = $1', [id]);
    await owner.query(
      'update merchant_counters set pending_withdrawals_count = 0, pending_withdrawals_cents = 0 where merchant_id = $1',
      [merchant.id],
    );
    await owner.query('alter table withdrawals enable trigger user');
    await owner.query('delete from open_items');
    await owner.end();
    expect(codeOf(await postPayouts('resume', { reason: 'corrigido' }))).toBe('done');
  });
});

describe('a waiting withdrawal by API key', () => {
  test.each([
    ['is turned off', 'PUT', '/authed/api-withdrawals', { enabled: false }, 'foi desligado'],
    [
      'loses its destination',
      'POST',
      '/authed/api-withdrawals/destinations/remove',
      { pixKey: 'maria@example.com' },
      'removido dos destinos salvos',
    ],
  ] as const)('does not leave if it %s, and the money is returned', async (_, method, path, body, why) => {
    const { id } = await stand.requestWithdrawalByApi(merchant, 10_000, 'http://127.0.0.1:9/hook');
    expect((await stand.gateway.api(method, path, body, { token: merchant.token })).status).toBe(200);
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(id)).toEqual([]);
    const failed = await stand.readWithdrawal(merchant, id);
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining(why) });
    expect(await readOwnBalances()).toMatchObject({ available: 300_000, in_transit: 0 });
  });
});

describe('limits are checked at the request, and again before sending', () => {
  test('per day and merchant, by what was sent on that day', async () => {
    await withdraw(1000);
    expect([await tryToRequest(500.01), await tryToRequest(500)]).toEqual([
      'WITHDRAWAL_DAY_LIMIT',
      'accepted',
    ]);
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(20);
    expect(await tryToRequest(5)).toBe('WITHDRAWAL_DAY_LIMIT');
    await stand.advanceToHour(9);
    merchant = await stand.signIn(merchant);
    expect(await tryToRequest(1000)).toBe('accepted');
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(20);
  });

  test('per night, 20:00 to 06:00, across midnight', async () => {
    await stand.advanceToHour(20);
    expect(await tryToRequest(400.01)).toBe('WITHDRAWAL_NIGHT_LIMIT');
    await withdraw(300);
    expect(await tryToRequest(100.01)).toBe('WITHDRAWAL_NIGHT_LIMIT');
    await stand.advanceToHour(5);
    expect(await tryToRequest(100.01)).toBe('WITHDRAWAL_NIGHT_LIMIT');
    await stand.advanceToHour(6);
    expect(await tryToRequest(1000)).toBe('accepted');
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(20);
  });

  test('the remaining amounts are shown beforehand, with the text of the refusal', async () => {
    const readLimits = async () => {
      const response = await stand.gateway.api('GET', '/authed/out-fees', undefined, {
        token: merchant.token,
      });
      return parseSuccess(outFees.response, response);
    };
    const amountsLeft = async () => (await readLimits()).caps.map(({ limit, left }) => [limit, left]);
    const noon = stand.deps.clock.now().getTime();
    const hoursUntilChange = async () =>
      Math.round((Date.parse((await readLimits()).capsUntil) - noon) / 3_600_000);
    expect([await amountsLeft(), await hoursUntilChange()]).toEqual([[[1500, 1500]], 8]);
    await withdraw(1000);
    expect(await amountsLeft()).toEqual([[1500, 500]]);
    await stand.advanceToHour(20);
    await withdraw(150);
    expect([await amountsLeft(), await hoursUntilChange()]).toEqual([
      [
        [400, 250],
        [1500, 350],
      ],
      12,
    ]);
    const { caps } = await readLimits();
    const response = await stand.gateway.api(
      'POST',
      '/authed/withdraw',
      { amount: 250.01, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: '2580' },
      { token: merchant.token },
    );
    expect((response.body as { message: string }).message).toBe(caps[0]?.message);
    // An amount above the whole limit of a day gets a message without "amanhã".
    const exceededCap = await inTransaction(stand.deps, (tx) =>
      findExceededCap(
        tx,
        stand.deps.config.limits,
        { merchantId: merchant.id, amountCents: 150_001 },
        'request',
      ),
    );
    expect(exceededCap?.message).toBe(
      'O limite de saques por dia é de R$\u00a01.500,00. Tente um valor menor.',
    );
    await stand.advanceToHour(1);
    expect([await amountsLeft(), await hoursUntilChange()]).toEqual([
      [
        [400, 250],
        [1500, 1500],
      ],
      18,
    ]);
  });

  test('a withdrawal requested by day that exceeds the limit of the night waits for the morning, and says so', async () => {
    await stand.advanceToHour(19);
    const { id } = await stand.ask(merchant, { amount: 500 });
    await stand.advanceToHour(20);
    await stand.sendDueWithdrawals();
    const waiting = await stand.readWithdrawal(merchant, id);
    expect(waiting.status).toBe('pending');
    expect(waiting.error).toMatch(
      /^O limite de saques deste período foi atingido\. Este sai em .* às 06:00\.$/,
    );
    await stand.gateway.advance(9 * hour);
    expect(await stand.sendDueWithdrawals()).toBe(0);
    await stand.advanceToHour(6);
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');
  });

  test('per day of the whole gateway, with withdrawals that wait to be sent', async () => {
    const [second, third] = [await stand.createFundedMerchant(1000), await stand.createFundedMerchant(1000)];
    await withdraw(1000);
    await withdraw(1000, second);
    const poor = await stand.createFundedMerchant(600);
    expect(await tryToRequest(500.01, third)).toBe('WITHDRAWAL_DAY_LIMIT');
    expect([await tryToRequest(300, third), await tryToRequest(300, poor)]).toEqual([
      'accepted',
      'WITHDRAWAL_DAY_LIMIT',
    ]);
    expect(await tryToRequest(200, poor)).toBe('accepted');
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(20);
    expect(await tryToRequest(5, poor)).toBe('WITHDRAWAL_DAY_LIMIT');
  });

  test('failed withdrawals do not count', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'refused' });
    const { id } = await stand.ask(merchant, { amount: 1000 });
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'failed');
    await stand.gateway.bank.setBehaviour({});
    await withdraw(1000);
    expect(await tryToRequest(500)).toBe('accepted');
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(20);
  });
});
