import { randomUUID } from 'node:crypto';
import { errorEnvelope } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
} from '../../test/given.ts';
import { givenRefund, readRefunds } from '../../test/refunds.ts';
import { assertBankCovers } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readBalances } from '../ledger/index.ts';
import { settleReceived } from '../payments/index.ts';
import { type BankReturn, type PixRefunds, PspRefused, PspUnknown } from '../psp/index.ts';
import { sendRefunds } from './send-refunds.ts';

/** No background work: each test runs the jobs, with the bank or with scripted responses. */
let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ work: false });
  admin = await givenAdmin(gateway);
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin });
});
afterEach(() => gateway.bank.behave({}));
afterAll(() => gateway.stop());

/** A settled payment of R$ 100,00. */
async function paid(): Promise<string> {
  const charge = await givenCharge(gateway, merchant);
  const endToEndId = await gateway.bank.pay({ brCode: charge.content });
  const pix = await gateway.deps.psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error('The bank does not know the Pix');
  await inTransaction(gateway.deps, (tx) => settleReceived(tx, [pix], gateway.deps.config.pixKey));
  return charge.id;
}

const ask = (id: string, amount = 10) => givenRefund(gateway, merchant, id, { amount });
const stored = (id: string) =>
  gateway.deps.db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const openItems = (reference: string) =>
  gateway.deps.db
    .selectFrom('open_items')
    .select(['kind', 'closed_at'])
    .where('reference', '=', reference)
    .execute();
const balances = () => readBalances(gateway.deps.db, merchant.id);

/** The gateway, with a bank that answers refunds as scripted, and records the calls. */
function withBank(refunds: Partial<PixRefunds>): { deps: Deps; asked: string[] } {
  const asked: string[] = [];
  const real = gateway.deps.psp.refunds;
  if (real === undefined) throw new Error('The bank does not refund');
  const counting: PixRefunds = {
    requestRefund(order) {
      asked.push('send');
      return (refunds.requestRefund ?? real.requestRefund)(order);
    },
    findRefund(endToEndId, refundId) {
      asked.push('look up');
      return (refunds.findRefund ?? real.findRefund)(endToEndId, refundId);
    },
  };
  return { deps: { ...gateway.deps, psp: { ...gateway.deps.psp, refunds: counting } }, asked };
}

const unanswered = () => Promise.reject(new PspUnknown('no answer'));
const notFound = async () => undefined;
const refusing = () => Promise.reject(new PspRefused('no', { reason: 'não' }));
async function answer(id: string, said: Partial<BankReturn>): Promise<BankReturn> {
  const { bank_refund_id, amount_cents } = await stored(id);
  return {
    refundId: bank_refund_id,
    rtrId: undefined,
    amountCents: amount_cents,
    nature: 'requested',
    status: 'processing',
    at: gateway.deps.clock.now(),
    reason: undefined,
    ...said,
  };
}

/** One pass, with a fresh reading of the bank's balance. */
async function work(deps: Deps): Promise<void> {
  await assertBankCovers(gateway.deps);
  await sendRefunds(deps);
}

const stopAll = (because: string | null) =>
  gateway.deps.db.updateTable('gateway').set({ payouts_stopped_because: because }).execute();

/** Completes what a test left in progress, so that the bank's books and ours agree. */
async function finish(id: string): Promise<void> {
  const status = async () => (await stored(id)).status;
  const workOn = async () => {
    await gateway.advance(700);
    await work(gateway.deps);
    return status();
  };
  if ((await status()) === 'processing') await expect.poll(workOn).not.toBe('processing');
}

describe('a refund is not sent', () => {
  test('while the operator has stopped payouts, and is sent after they resume', async () => {
    const id = (await ask(await paid())).id;
    await stopAll('an alarm');
    const { deps, asked } = withBank({});
    await work(deps);
    expect(await stored(id)).toMatchObject({
      status: 'processing',
      sends: 0,
      error: 'Os envios estão suspensos pelo operador. O estorno segue quando voltarem.',
    });
    await stopAll(null);
    await gateway.advance(31);
    await work(deps);
    expect(asked).toEqual(['send']);
    expect(await stored(id)).toMatchObject({ sends: 1, error: null });
    await finish(id);
  });

  test('while its account is not approved', async () => {
    const id = (await ask(await paid())).id;
    const approve = (approved: boolean, version: number) =>
      gateway.api('PUT', `/admin/users/${merchant.id}`, { version, approved }, { token: admin.token });
    await approve(false, 2);
    const { deps, asked } = withBank({});
    await work(deps);
    expect(await stored(id)).toMatchObject({ sends: 0, error: expect.stringContaining('não está aprovada') });
    await approve(true, 3);
    await gateway.advance(31);
    await work(deps);
    expect(asked).toEqual(['send']);
    await finish(id);
  });

  test('while its account is frozen', async () => {
    const id = (await ask(await paid())).id;
    const freeze = (frozen_at: Date | null) =>
      gateway.deps.db
        .updateTable('users')
        .set({ frozen_at, frozen_because: frozen_at && 'suspeita de golpe' })
        .where('id', '=', merchant.id)
        .execute();
    await freeze(gateway.deps.clock.now());
    const { deps, asked } = withBank({});
    await work(deps);
    expect(await stored(id)).toMatchObject({ sends: 0, error: expect.stringContaining('está bloqueada') });
    await freeze(null);
    await gateway.advance(31);
    await work(deps);
    expect(asked).toEqual(['send']);
    await finish(id);
  });

  test('if the ledger did not debit it: an item is opened for the operator', async () => {
    const { db } = gateway.deps;
    const paymentId = await paid();
    const asked = await ask(paymentId);
    const row = await stored(asked.id);
    await finish(asked.id);
    const id = '0d9c7a52-2b2f-4f4e-8f3a-0a8f6f4b8c11';
    const forged = {
      ...row,
      id,
      bank_refund_id: 'forged',
      status: 'processing',
      due_at: gateway.deps.clock.now(),
    };
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('refunds')
        .values({ ...forged, sends: 0, first_sent_at: null })
        .execute();
      await tx.updateTable('charges').set({ refunding_cents: 1000 }).where('id', '=', paymentId).execute();
    });
    const { deps, asked: calls } = withBank({});
    await work(deps);
    expect(calls).toEqual([]);
    expect(await openItems(id)).toEqual([{ kind: 'refund-not-debited', closed_at: null }]);
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('refunds').set({ status: 'failed', due_at: null }).where('id', '=', id).execute();
      await tx.updateTable('charges').set({ refunding_cents: 0 }).where('id', '=', paymentId).execute();
    });
    // It never moved money, so the ledger does not know it.
    await removeAsOwner(id);
  });
});

async function removeAsOwner(id: string): Promise<void> {
  const { default: pg } = await import('pg');
  const owner = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await owner.connect();
  await owner.query('delete from refunds where id = $1', [id]);
  await owner.end();
}

describe('a refund with an unknown outcome', () => {
  test('moves no money, however long', async () => {
    const id = (await ask(await paid())).id;
    const { deps, asked } = withBank({ requestRefund: unanswered, findRefund: unanswered });
    await work(deps);
    for (let tries = 0; tries < 5; tries += 1) {
      await gateway.advance(120);
      await work(deps);
    }
    expect(asked.filter((call) => call === 'send')).toHaveLength(1);
    expect(await balances()).toMatchObject({ available: 9000, in_transit: 1000 });
    await finish(id);
  });

  test('opens an item for the operator after an hour, once, which closes when the bank reports the outcome', async () => {
    const id = (await ask(await paid())).id;
    const takenButUnanswered: PixRefunds['requestRefund'] = async (order) => {
      await gateway.deps.psp.refunds?.requestRefund(order);
      return unanswered();
    };
    const { deps } = withBank({ requestRefund: takenButUnanswered, findRefund: unanswered });
    await work(deps);
    await gateway.advance(3500);
    await work(deps);
    expect(await openItems(id)).toEqual([]);
    await gateway.advance(200);
    await work(deps);
    await gateway.advance(700);
    await work(deps);
    expect(await openItems(id)).toEqual([{ kind: 'refund-in-doubt', closed_at: null }]);
    await finish(id);
    expect(await openItems(id)).toEqual([{ kind: 'refund-in-doubt', closed_at: expect.any(Date) }]);
    expect(await stored(id)).toMatchObject({ status: 'completed', unknown_since: null, due_at: null });
  });

  test('is not resent before two minutes and three look-ups, and then under the same id', async () => {
    const id = (await ask(await paid())).id;
    const { deps, asked } = withBank({ requestRefund: unanswered, findRefund: notFound });
    await work(deps);
    const [first] = [await stored(id)];
    await gateway.advance(200);
    await work(deps);
    await gateway.advance(60);
    await work(deps);
    expect(asked).toEqual(['send', 'look up', 'look up']);
    await gateway.advance(60);
    await work(deps);
    expect(asked).toEqual(['send', 'look up', 'look up', 'look up', 'send']);
    expect((await stored(id)).bank_refund_id).toBe(first?.bank_refund_id);
    // The two minutes start again with each send.
    for (let tries = 0; tries < 3; tries += 1) {
      await gateway.advance(35);
      await work(deps);
    }
    expect(asked.slice(5)).toEqual(Array(3).fill('look up'));
    await gateway.advance(20);
    await work(deps);
    expect(asked.slice(8)).toEqual(['look up', 'send']);
    await finish(id);
  });

  test('is looked up, and not resent, while payouts are stopped', async () => {
    const id = (await ask(await paid())).id;
    const { deps, asked } = withBank({ requestRefund: unanswered, findRefund: notFound });
    await work(deps);
    await stopAll('an alarm');
    for (let tries = 0; tries < 5; tries += 1) {
      await gateway.advance(70);
      await work(deps);
    }
    expect(asked).toEqual(['send', ...Array(5).fill('look up')]);
    await stopAll(null);
    await gateway.advance(70);
    await work(deps);
    expect(asked.slice(-2)).toEqual(['look up', 'send']);
    await finish(id);
  });

  test('is not ended by a refusal of its second send, nor of a look-up', async () => {
    const id = (await ask(await paid())).id;
    await work(withBank({ requestRefund: unanswered }).deps);
    for (let tries = 0; tries < 4; tries += 1) {
      await gateway.advance(130);
      await work(withBank({ requestRefund: refusing, findRefund: notFound }).deps);
    }
    expect(await stored(id)).toMatchObject({ status: 'processing', sends: 2 });
    await gateway.advance(130);
    await work(withBank({ findRefund: refusing }).deps);
    expect(await stored(id)).toMatchObject({ status: 'processing' });
    expect(await balances()).toMatchObject({ in_transit: 1000 });
    await finish(id);
  });

  test('is looked up, not resent, if the sending process died', async () => {
    const id = (await ask(await paid())).id;
    const dead = withBank({ requestRefund: () => new Promise(() => {}) });
    void work(dead.deps);
    await expect.poll(async () => (await stored(id)).sends).toBe(1);
    const next = withBank({});
    await work(next.deps);
    expect(next.asked).toEqual([]);
    await gateway.advance(100);
    await work(next.deps);
    expect(next.asked).toEqual(['look up']);
    await finish(id);
    expect(await stored(id)).toMatchObject({ status: 'completed', sends: 2 });
  });
});

describe('an administrator', () => {
  const resolve = (id: string, outcome: 'returned' | 'refused', user = merchant.id) =>
    gateway.api(
      'POST',
      `/admin/users/${user}/refunds/${id}/resolve`,
      { outcome, evidence: 'extrato do banco de hoje, linha 12', rtr_id: 'D123' },
      { token: admin.token },
    );
  const codeOf = (answer: ApiAnswer) => errorEnvelope.parse(answer.body).error.code;

  test('cannot resolve orders of their own account', async () => {
    const id = randomUUID();
    expect(codeOf(await resolve(id, 'refused', admin.id))).toBe('OWN_ACCOUNT');
    const own = `/admin/users/${admin.id}/withdrawals/${id}/resolve`;
    const body = { outcome: 'refused', evidence: 'extrato do banco de hoje, linha 12' };
    expect(codeOf(await gateway.api('POST', own, body, { token: admin.token }))).toBe('OWN_ACCOUNT');
  });

  test('resolves, with evidence, an outcome unknown for an hour, and an unsent refund only as not returned', async () => {
    const silent = withBank({ requestRefund: unanswered, findRefund: unanswered }).deps;
    const [returned, refused, fresh] = [
      await ask(await paid()),
      await ask(await paid()),
      await ask(await paid()),
    ];
    expect(codeOf(await resolve(fresh.id, 'returned'))).toBe('NOT_IN_DOUBT');
    expect((await resolve(fresh.id, 'refused')).status).toBe(200);
    await work(silent);
    expect(codeOf(await resolve(returned.id, 'returned'))).toBe('NOT_IN_DOUBT');
    await gateway.advance(3700);
    await work(silent);
    expect((await openItems(returned.id)).filter(({ closed_at }) => closed_at === null)).toHaveLength(1);
    expect((await resolve(returned.id, 'returned')).status).toBe(200);
    expect((await resolve(refused.id, 'refused')).status).toBe(200);
    expect(await stored(returned.id)).toMatchObject({ status: 'completed', rtr_id: 'D123', due_at: null });
    expect(await stored(refused.id)).toMatchObject({
      status: 'failed',
      error: 'O banco recusou a devolução: conforme conferência do operador.',
    });
    for (const { id } of [returned, refused])
      expect((await openItems(id)).filter(({ closed_at }) => closed_at === null)).toEqual([]);
    expect(await balances()).toMatchObject({ available: 29_000, in_transit: 0 });
    expect(codeOf(await resolve(returned.id, 'refused'))).toBe('NOT_IN_DOUBT');
    expect(codeOf(await resolve(returned.id, 'refused', 0))).toBe('REFUND_NOT_FOUND');
    const log = await gateway.deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', merchant.id)
      .where('action', '=', 'refund resolved')
      .execute();
    expect(log).toHaveLength(3);
  });

  test('can resolve a refund for which the bank keeps reporting a different amount', async () => {
    const { id } = await ask(await paid());
    const odd = async () => answer(id, { status: 'completed', amountCents: 999 });
    const { deps } = withBank({ requestRefund: odd, findRefund: odd });
    await work(deps);
    expect(codeOf(await resolve(id, 'refused'))).toBe('NOT_IN_DOUBT');
    await gateway.advance(3700);
    await work(deps);
    expect((await resolve(id, 'refused')).status).toBe(200);
    expect(await stored(id)).toMatchObject({ status: 'failed' });
    expect(await openItems(id)).toEqual([{ kind: 'refund-differs', closed_at: expect.any(Date) }]);
    expect(await balances()).toMatchObject({ in_transit: 0 });
  });
});

describe('a response', () => {
  test('with a different amount or refund id moves no money, and opens an item for the operator', async () => {
    for (const said of [{ amountCents: 999 }, { refundId: 'another' }]) {
      const id = (await ask(await paid())).id;
      const odd = async () => answer(id, { status: 'completed', ...said });
      await work(withBank({ requestRefund: odd, findRefund: odd }).deps);
      expect(await stored(id)).toMatchObject({ status: 'processing' });
      expect(await openItems(id)).toEqual([{ kind: 'refund-differs', closed_at: null }]);
      await finish(id);
      expect(await openItems(id)).toEqual([{ kind: 'refund-differs', closed_at: expect.any(Date) }]);
    }
  });

  test('that is late changes no ended refund', async () => {
    const id = (await ask(await paid())).id;
    let respond: (said: BankReturn) => void = () => {};
    const late = new Promise<BankReturn>((resolve) => {
      respond = resolve;
    });
    const slow = work(withBank({ requestRefund: () => late }).deps);
    await expect.poll(async () => (await stored(id)).sends).toBe(1);
    await gateway.advance(100);
    await finish(id);
    expect(await stored(id)).toMatchObject({ status: 'completed' });
    respond(await answer(id, { status: 'refused' }));
    await slow;
    expect(await stored(id)).toMatchObject({ status: 'completed' });
    expect(await balances()).toMatchObject({ available: 9000, in_transit: 0 });
  });

  test('with a refusal after the bank accepted it returns the money', async () => {
    const paymentId = await paid();
    const id = (await ask(paymentId)).id;
    const refused = async () => answer(id, { status: 'refused', reason: 'Conta encerrada.' });
    await work(withBank({ requestRefund: refused }).deps);
    expect(await balances()).toMatchObject({ available: 10_000, in_transit: 0 });
    expect((await readRefunds(gateway, merchant, paymentId)).refunds).toMatchObject([
      { status: 'failed', error: 'O banco recusou a devolução: Conta encerrada.' },
    ]);
  });
});

// The last test, since the administrator's session has expired by then.
test('a refund is looked up, and not resent, after an hour of unknown outcome', async () => {
  const id = (await ask(await paid())).id;
  const { deps, asked } = withBank({ requestRefund: unanswered, findRefund: notFound });
  await work(deps);
  await gateway.advance(3600);
  for (let tries = 0; tries < 5; tries += 1) {
    await gateway.advance(700);
    await work(deps);
  }
  expect(asked).toEqual(['send', ...Array(5).fill('look up')]);
  expect(await openItems(id)).toEqual([{ kind: 'refund-in-doubt', closed_at: null }]);
  expect(await balances()).toMatchObject({ in_transit: 1000 });
});
