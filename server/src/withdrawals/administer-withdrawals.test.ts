import { type AdminWithdrawal, adminWithdrawal, adminWithdrawals } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GivenMerchant, givenAdmin, parseSuccess } from '../../test/given.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { readBalances } from '../ledger/index.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { resumePayouts, stopPayouts } from './stop-and-resume-payouts.ts';

let stand: WithdrawalStand;

beforeAll(async () => {
  stand = await WithdrawalStand.start({ WITHDRAWAL_DAY: '1000000', GATEWAY_DAY: '10000000' });
});
afterEach(() => stand.gateway.bank.setBehaviour({}));
afterAll(() => stand.gateway.stop());

type WithId = { readonly id: string };

/** Holds or releases a withdrawal as the operator. */
function holdOrRelease(
  { id: userId }: { id: number },
  { id }: WithId,
  action: 'hold' | 'release',
  reason = 'conferir',
) {
  const path = `/admin/users/${userId}/withdrawals/${id}/${action}`;
  return stand.gateway.api('POST', path, { reason }, { token: stand.admin.token });
}

async function listView(view: string, before?: string) {
  const query = new URLSearchParams({ view, ...(before && { before }) });
  const response = await stand.gateway.api('GET', `/admin/withdrawals?${query}`, undefined, {
    token: stand.admin.token,
  });
  return parseSuccess(adminWithdrawals.response, response);
}

/** Finds a withdrawal in the first page of a view. */
async function findInView(view: string, { id }: WithId): Promise<AdminWithdrawal | undefined> {
  return (await listView(view)).withdrawals.find((withdrawal) => withdrawal.id === id);
}

async function readAudit({ id }: WithId) {
  const rows = await stand.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'subject_id', 'reason', 'before', 'after'])
    .orderBy('id')
    .execute();
  return rows.filter(({ before }) => (before as { withdrawal?: string }).withdrawal === id);
}

describe('a withdrawal held by an operator', () => {
  let merchant: GivenMerchant;
  beforeAll(async () => {
    merchant = await stand.createFundedMerchant(1000);
  });

  test('waits while others leave, shows this to its merchant, and leaves once released', async () => {
    const held = await stand.ask(merchant);
    const other = await stand.createFundedMerchant(100);
    const notHeld = await stand.ask(other, { amount: 50 });
    expect(
      parseSuccess(adminWithdrawal, await holdOrRelease(merchant, held, 'hold', 'destino estranho')),
    ).toMatchObject({
      status: 'pending',
      held_because: 'destino estranho',
      user: { id: String(merchant.id), name: 'Maria da Feira' },
    });
    expect(await findInView('held', held)).toMatchObject({ held_because: 'destino estranho' });
    await stand.sendDueWithdrawals();
    await stand.gateway.advance(86_400);
    await stand.pollBankBalance();
    await stand.sendDueWithdrawals();
    merchant = await stand.signIn(merchant);
    stand.admin = await givenAdmin(stand.gateway);
    expect(await stand.payoutsOf(held.id)).toEqual([]);
    expect(await stand.payoutsOf(notHeld.id)).toHaveLength(1);
    expect(await stand.readWithdrawal(merchant, held.id)).toMatchObject({
      status: 'pending',
      error: expect.stringContaining('Em análise pelo operador.'),
    });
    expect((await holdOrRelease(merchant, held, 'release', 'conferido')).status).toBe(200);
    expect(await findInView('held', held)).toBeUndefined();
    await stand.sendDueWithdrawals();
    expect(await stand.advanceUntilStatus(merchant, held.id, 'completed')).toMatchObject({ error: null });
    expect(await readAudit(held)).toMatchObject([
      {
        action: 'withdrawal held',
        subject_id: merchant.id,
        reason: 'destino estranho',
        before: { held_because: null },
        after: { held_because: 'destino estranho' },
      },
      {
        action: 'withdrawal released',
        reason: 'conferido',
        before: { held_because: 'destino estranho' },
        after: { held_because: null },
      },
    ]);
  });

  test('does not leave when payouts resume, and returns the money when cancelled', async () => {
    const { available } = await readBalances(stand.deps.db, merchant.id);
    const held = await stand.ask(merchant);
    await stopPayouts(stand.deps, stand.admin.id, 'conferindo');
    await stand.sendDueWithdrawals();
    expect((await holdOrRelease(merchant, held, 'hold')).status).toBe(200);
    await resumePayouts(stand.deps, stand.admin.id, 'segue');
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(held.id)).toEqual([]);
    const refusal = { outcome: 'refused', evidence: 'nunca foi enviado ao banco' };
    expect((await stand.resolve(merchant, held.id, refusal)).status).toBe(200);
    expect(await findInView('failed', held)).toMatchObject({ held_because: null, resolutions: [] });
    expect(await readBalances(stand.deps.db, merchant.id)).toMatchObject({ available, in_transit: 0 });
  });

  test('cannot be marked as sent, even directly in the database', async () => {
    const held = await stand.ask(merchant);
    await holdOrRelease(merchant, held, 'hold');
    const forced = stand.deps.db
      .updateTable('withdrawals')
      .set({ status: 'processing', send_count: 1, first_sent_at: new Date() })
      .where('merchant_id', '=', merchant.id)
      .where('id', '=', held.id);
    await expect(forced.execute()).rejects.toThrow('withdrawals_held_wait');
    await stand.resolve(merchant, held.id, { outcome: 'refused', evidence: 'para o próximo teste' });
  });

  test('must be unsent, and not the administrator’s own', async () => {
    await stand.gateway.bank.setBehaviour({ payouts: 'slow' });
    const sent = await stand.ask(merchant);
    const statusAndCodeOf = async (response: ReturnType<typeof holdOrRelease>) => {
      const { status, body } = await response;
      return [status, (body as { error?: { code: string } }).error?.code];
    };
    expect(await statusAndCodeOf(holdOrRelease(merchant, sent, 'release'))).toEqual([409, 'NOT_HELD']);
    await stand.sendDueWithdrawals();
    expect(await statusAndCodeOf(holdOrRelease(merchant, sent, 'hold'))).toEqual([409, 'WITHDRAWAL_SENT']);
    expect(await statusAndCodeOf(holdOrRelease(stand.admin, sent, 'hold'))).toEqual([403, 'OWN_ACCOUNT']);
    expect(await statusAndCodeOf(holdOrRelease({ id: 999_999 }, sent, 'hold'))).toEqual([
      404,
      'WITHDRAWAL_NOT_FOUND',
    ]);
    expect(await statusAndCodeOf(holdOrRelease({ id: 1e300 }, sent, 'hold'))).toEqual([
      404,
      'WITHDRAWAL_NOT_FOUND',
    ]);
    expect(await statusAndCodeOf(holdOrRelease(merchant, sent, 'hold', ' '))).toEqual([400, 'INVALID_BODY']);
    await stand.gateway.bank.setBehaviour({});
    await stand.advanceInSteps(60);
  });
});

describe('the withdrawals of all merchants', () => {
  test('are listed by state, and each page continues where the previous one ended', async () => {
    const merchant = await stand.createFundedMerchant(1000);
    const failedIds: string[] = [];
    for (let index = 0; index < 53; index += 1) {
      const order = { ...orderOf(merchant), amountCents: 1000 + index };
      const { id } = await requestWithdrawal(stand.deps, order);
      await stand.resolve(merchant, id, { outcome: 'refused', evidence: 'para a lista ficar longa' });
      failedIds.unshift(id);
    }
    const first = await listView('failed');
    const second = await listView('failed', first.next ?? '');
    const listedIds = [...first.withdrawals, ...second.withdrawals].map(({ id }) => id);
    expect(listedIds.slice(0, 53)).toEqual(failedIds);
    expect(new Set(listedIds).size).toBe(listedIds.length);
    expect(second.next).toBeNull();
    const invalidCursor = await stand.gateway.api('GET', '/admin/withdrawals?before=1.2', undefined, {
      token: stand.admin.token,
    });
    expect(invalidCursor).toMatchObject({ status: 400, body: { error: { code: 'INVALID_QUERY' } } });
  });

  test('may be resolved either way after an hour of unknown outcome, and as refused while they wait', async () => {
    const merchant = await stand.createFundedMerchant(100);
    const { id } = await stand.ask(merchant, { amount: 20 });
    expect(await findInView('open', { id })).toMatchObject({ resolutions: ['refused'], in_doubt: false });
    expect(await findInView('in-doubt', { id })).toBeUndefined();
    await stand.gateway.bank.setBehaviour({ payouts: 'down' });
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(30);
    expect(await findInView('in-doubt', { id })).toMatchObject({ in_doubt: true, resolutions: [] });
    await stand.gateway.advance(3600);
    stand.admin = await givenAdmin(stand.gateway);
    expect(await findInView('in-doubt', { id })).toMatchObject({
      id_envio: (await stand.rowOf(id)).id_envio,
      unknown_since: expect.any(String),
      resolutions: ['paid', 'refused'],
    });
    expect(await findInView('open', { id })).toBeDefined();
    await stand.gateway.bank.setBehaviour({});
    const evidence = 'o banco mostra que não saiu';
    expect((await stand.resolve(merchant, id, { outcome: 'refused', evidence })).status).toBe(200);
    expect(await findInView('failed', { id })).toMatchObject({ in_doubt: false, resolutions: [] });
  });
});

const orderOf = (merchant: GivenMerchant) =>
  ({
    merchantId: merchant.id,
    feeCents: 150,
    keyType: 'email',
    pixKey: 'maria@example.com',
    origin: 'panel',
    callbackUrl: null,
  }) as const;
