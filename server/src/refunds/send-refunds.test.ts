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
import { withPsp } from '../../test/with-psp.ts';
import { refuseLowBankBalance } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { settleReceived } from '../payments/index.ts';
import { type AtBank, type BankReturn, type PixRefunds, PspRefused, PspUnknown } from '../psp/index.ts';
import { sendRefunds } from './send-refunds.ts';

// No background work: each test runs the sending itself, against the bank or with scripted responses.

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin });
});
afterEach(() => gateway.bank.setBehaviour({}));
afterAll(() => gateway.stop());

/** Creates a settled payment of R$ 100,00, and returns its charge's id. */
async function givenPayment(): Promise<string> {
  const charge = await givenCharge(gateway, merchant);
  const endToEndId = await gateway.bank.pay({ brCode: charge.content });
  const pix = await gateway.deps.psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error('The bank does not know the Pix');
  await inTransaction(gateway.deps, (tx) => settleReceived(tx, [pix], gateway.deps.connection));
  return charge.id;
}

const createRefund = (id: string, amount = 10) => givenRefund(gateway, merchant, id, { amount });
const readRefund = (id: string) =>
  gateway.deps.db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const readItems = (reference: string) =>
  gateway.deps.db
    .selectFrom('open_items')
    .select(['kind', 'closed_at'])
    .where('reference', '=', reference)
    .execute();
const readOwnBalances = () => readBalances(gateway.deps.db, merchant.id);

/** The gateway's dependencies, with a bank whose refund responses are scripted and whose calls are recorded. */
function withBank(refunds: Partial<PixRefunds>): { deps: AtBank; calls: string[] } {
  const calls: string[] = [];
  const realRefunds = gateway.deps.psp.refunds;
  if (realRefunds === undefined) throw new Error('The bank does not refund');
  const recordingRefunds: PixRefunds = {
    requestRefund(order) {
      calls.push('send');
      return (refunds.requestRefund ?? realRefunds.requestRefund)(order);
    },
    findRefund(endToEndId, refundId) {
      calls.push('look up');
      return (refunds.findRefund ?? realRefunds.findRefund)(endToEndId, refundId);
    },
  };
  return { deps: withPsp(gateway.deps, { ...gateway.deps.psp, refunds: recordingRefunds }), calls };
}

const throwUnknown = () => Promise.reject(new PspUnknown('no answer'));
const returnNotFound = async () => undefined;
const throwRefused = () => Promise.reject(new PspRefused('no', { reason: 'não' }));
/** The bank's record of a refund, with changes. */
async function bankRecordOf(id: string, changes: Partial<BankReturn>): Promise<BankReturn> {
  const { bank_refund_id, amount_cents } = await readRefund(id);
  return {
    refundId: bank_refund_id,
    rtrId: undefined,
    amountCents: amount_cents,
    nature: 'requested',
    status: 'processing',
    at: gateway.deps.clock.now(),
    reason: undefined,
    ...changes,
  };
}

/** Runs the sending of refunds once, after a poll of the bank's balance, without which nothing is sent. */
async function runSending(deps: AtBank): Promise<void> {
  await refuseLowBankBalance(gateway.deps);
  await sendRefunds(deps);
}

const setPayoutsStop = (reason: string | null) =>
  gateway.deps.db.updateTable('gateway').set({ payouts_stopped_because: reason }).execute();

/** Completes a refund that a test left in progress, so that the bank's books and ours agree. */
async function completeRefund(id: string): Promise<void> {
  const status = async () => (await readRefund(id)).status;
  const runLater = async () => {
    await gateway.advance(700);
    await runSending(gateway.deps);
    return status();
  };
  if ((await status()) === 'processing') await expect.poll(runLater).not.toBe('processing');
}

describe('a refund is not sent', () => {
  test('while the operator has stopped payouts, and is sent after they resume', async () => {
    const id = (await createRefund(await givenPayment())).id;
    await setPayoutsStop('an alarm');
    const { deps, calls } = withBank({});
    await runSending(deps);
    expect(await readRefund(id)).toMatchObject({
      status: 'processing',
      send_count: 0,
      error: 'Os envios estão suspensos pelo operador. O estorno segue quando voltarem.',
    });
    await setPayoutsStop(null);
    await gateway.advance(31);
    await runSending(deps);
    expect(calls).toEqual(['send']);
    expect(await readRefund(id)).toMatchObject({ send_count: 1, error: null });
    await completeRefund(id);
  });

  test('while its account is not approved', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const approve = (approved: boolean, version: number) =>
      gateway.api('PUT', `/admin/users/${merchant.id}`, { version, approved }, { token: admin.token });
    await approve(false, 2);
    const { deps, calls } = withBank({});
    await runSending(deps);
    expect(await readRefund(id)).toMatchObject({
      send_count: 0,
      error: expect.stringContaining('não está aprovada'),
    });
    await approve(true, 3);
    await gateway.advance(31);
    await runSending(deps);
    expect(calls).toEqual(['send']);
    await completeRefund(id);
  });

  test('while its account is frozen', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const freeze = (frozen_at: Date | null) =>
      gateway.deps.db
        .updateTable('users')
        .set({ frozen_at, frozen_because: frozen_at && 'suspeita de golpe' })
        .where('id', '=', merchant.id)
        .execute();
    await freeze(gateway.deps.clock.now());
    const { deps, calls } = withBank({});
    await runSending(deps);
    expect(await readRefund(id)).toMatchObject({
      send_count: 0,
      error: expect.stringContaining('está bloqueada'),
    });
    await freeze(null);
    await gateway.advance(31);
    await runSending(deps);
    expect(calls).toEqual(['send']);
    await completeRefund(id);
  });

  test('if the ledger did not debit it: an item is opened for the operator', async () => {
    const { db } = gateway.deps;
    const paymentId = await givenPayment();
    const requested = await createRefund(paymentId);
    const row = await readRefund(requested.id);
    await completeRefund(requested.id);
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
        .values({ ...forged, send_count: 0, first_sent_at: null })
        .execute();
      await tx.updateTable('charges').set({ refunding_cents: 1000 }).where('id', '=', paymentId).execute();
    });
    const { deps, calls } = withBank({});
    await runSending(deps);
    expect(calls).toEqual([]);
    expect(await readItems(id)).toEqual([{ kind: 'refund-not-debited', closed_at: null }]);
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('refunds').set({ status: 'failed', due_at: null }).where('id', '=', id).execute();
      await tx.updateTable('charges').set({ refunding_cents: 0 }).where('id', '=', paymentId).execute();
    });
    // The forged refund never moved money, so the audit of the ledger would report it.
    await removeAsOwner(id);
  });
});

/** Deletes a refund as the owner of the tables, because the gateway itself may not. */
async function removeAsOwner(id: string): Promise<void> {
  const { default: pg } = await import('pg');
  const owner = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await owner.connect();
  await owner.query('delete from refunds where id = $1', [id]);
  await owner.end();
}

describe('a refund with an unknown outcome', () => {
  test('moves no money, however long', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const { deps, calls } = withBank({ requestRefund: throwUnknown, findRefund: throwUnknown });
    await runSending(deps);
    for (let tries = 0; tries < 5; tries += 1) {
      await gateway.advance(120);
      await runSending(deps);
    }
    expect(calls.filter((call) => call === 'send')).toHaveLength(1);
    expect(await readOwnBalances()).toMatchObject({ available: 9000, in_transit: 1000 });
    await completeRefund(id);
  });

  test('opens an item for the operator after an hour, once, which closes when the bank reports the outcome', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const acceptWithoutResponse: PixRefunds['requestRefund'] = async (order) => {
      await gateway.deps.psp.refunds?.requestRefund(order);
      return throwUnknown();
    };
    const { deps } = withBank({ requestRefund: acceptWithoutResponse, findRefund: throwUnknown });
    await runSending(deps);
    await gateway.advance(3500);
    await runSending(deps);
    expect(await readItems(id)).toEqual([]);
    await gateway.advance(200);
    await runSending(deps);
    await gateway.advance(700);
    await runSending(deps);
    expect(await readItems(id)).toEqual([{ kind: 'refund-in-doubt', closed_at: null }]);
    await completeRefund(id);
    expect(await readItems(id)).toEqual([{ kind: 'refund-in-doubt', closed_at: expect.any(Date) }]);
    expect(await readRefund(id)).toMatchObject({ status: 'completed', unknown_since: null, due_at: null });
  });

  test('is not resent before two minutes and three look-ups, and then under the same id', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const { deps, calls } = withBank({ requestRefund: throwUnknown, findRefund: returnNotFound });
    await runSending(deps);
    const sentRefund = await readRefund(id);
    await gateway.advance(200);
    await runSending(deps);
    await gateway.advance(60);
    await runSending(deps);
    expect(calls).toEqual(['send', 'look up', 'look up']);
    await gateway.advance(60);
    await runSending(deps);
    expect(calls).toEqual(['send', 'look up', 'look up', 'look up', 'send']);
    expect((await readRefund(id)).bank_refund_id).toBe(sentRefund.bank_refund_id);
    // The two minutes start again with each send.
    for (let tries = 0; tries < 3; tries += 1) {
      await gateway.advance(35);
      await runSending(deps);
    }
    expect(calls.slice(5)).toEqual(Array(3).fill('look up'));
    await gateway.advance(20);
    await runSending(deps);
    expect(calls.slice(8)).toEqual(['look up', 'send']);
    await completeRefund(id);
  });

  test('is looked up, and not resent, while payouts are stopped', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const { deps, calls } = withBank({ requestRefund: throwUnknown, findRefund: returnNotFound });
    await runSending(deps);
    await setPayoutsStop('an alarm');
    for (let tries = 0; tries < 5; tries += 1) {
      await gateway.advance(70);
      await runSending(deps);
    }
    expect(calls).toEqual(['send', ...Array(5).fill('look up')]);
    await setPayoutsStop(null);
    await gateway.advance(70);
    await runSending(deps);
    expect(calls.slice(-2)).toEqual(['look up', 'send']);
    await completeRefund(id);
  });

  test('is not ended by a refusal of its second send, nor of a look-up', async () => {
    const id = (await createRefund(await givenPayment())).id;
    await runSending(withBank({ requestRefund: throwUnknown }).deps);
    for (let tries = 0; tries < 4; tries += 1) {
      await gateway.advance(130);
      await runSending(withBank({ requestRefund: throwRefused, findRefund: returnNotFound }).deps);
    }
    expect(await readRefund(id)).toMatchObject({ status: 'processing', send_count: 2 });
    await gateway.advance(130);
    await runSending(withBank({ findRefund: throwRefused }).deps);
    expect(await readRefund(id)).toMatchObject({ status: 'processing' });
    expect(await readOwnBalances()).toMatchObject({ in_transit: 1000 });
    await completeRefund(id);
  });

  test('is looked up, not resent, if the sending process died', async () => {
    const id = (await createRefund(await givenPayment())).id;
    const killedProcess = withBank({ requestRefund: () => new Promise(() => {}) });
    void runSending(killedProcess.deps);
    await expect.poll(async () => (await readRefund(id)).send_count).toBe(1);
    const nextProcess = withBank({});
    await runSending(nextProcess.deps);
    expect(nextProcess.calls).toEqual([]);
    await gateway.advance(100);
    await runSending(nextProcess.deps);
    expect(nextProcess.calls).toEqual(['look up']);
    await completeRefund(id);
    expect(await readRefund(id)).toMatchObject({ status: 'completed', send_count: 2 });
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
    const ownPath = `/admin/users/${admin.id}/withdrawals/${id}/resolve`;
    const body = { outcome: 'refused', evidence: 'extrato do banco de hoje, linha 12' };
    expect(codeOf(await gateway.api('POST', ownPath, body, { token: admin.token }))).toBe('OWN_ACCOUNT');
  });

  test('resolves, with evidence, an outcome unknown for an hour, and an unsent refund only as not returned', async () => {
    const silentBankDeps = withBank({ requestRefund: throwUnknown, findRefund: throwUnknown }).deps;
    const [returned, refused, unsent] = [
      await createRefund(await givenPayment()),
      await createRefund(await givenPayment()),
      await createRefund(await givenPayment()),
    ];
    expect(codeOf(await resolve(unsent.id, 'returned'))).toBe('NOT_IN_DOUBT');
    expect((await resolve(unsent.id, 'refused')).status).toBe(200);
    await runSending(silentBankDeps);
    expect(codeOf(await resolve(returned.id, 'returned'))).toBe('NOT_IN_DOUBT');
    await gateway.advance(3700);
    await runSending(silentBankDeps);
    expect((await readItems(returned.id)).filter(({ closed_at }) => closed_at === null)).toHaveLength(1);
    expect((await resolve(returned.id, 'returned')).status).toBe(200);
    expect((await resolve(refused.id, 'refused')).status).toBe(200);
    expect(await readRefund(returned.id)).toMatchObject({
      status: 'completed',
      rtr_id: 'D123',
      due_at: null,
    });
    expect(await readRefund(refused.id)).toMatchObject({
      status: 'failed',
      error: 'O banco recusou a devolução: conforme conferência do operador.',
    });
    for (const { id } of [returned, refused])
      expect((await readItems(id)).filter(({ closed_at }) => closed_at === null)).toEqual([]);
    expect(await readOwnBalances()).toMatchObject({ available: 29_000, in_transit: 0 });
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
    const { id } = await createRefund(await givenPayment());
    const differingRecord = async () => bankRecordOf(id, { status: 'completed', amountCents: 999 });
    const { deps } = withBank({ requestRefund: differingRecord, findRefund: differingRecord });
    await runSending(deps);
    expect(codeOf(await resolve(id, 'refused'))).toBe('NOT_IN_DOUBT');
    await gateway.advance(3700);
    await runSending(deps);
    expect((await resolve(id, 'refused')).status).toBe(200);
    expect(await readRefund(id)).toMatchObject({ status: 'failed' });
    expect(await readItems(id)).toEqual([{ kind: 'refund-differs', closed_at: expect.any(Date) }]);
    expect(await readOwnBalances()).toMatchObject({ in_transit: 0 });
  });
});

describe('a response', () => {
  test('with a different amount or refund id moves no money, and opens an item for the operator', async () => {
    for (const difference of [{ amountCents: 999 }, { refundId: 'another' }]) {
      const id = (await createRefund(await givenPayment())).id;
      const differingRecord = async () => bankRecordOf(id, { status: 'completed', ...difference });
      await runSending(withBank({ requestRefund: differingRecord, findRefund: differingRecord }).deps);
      expect(await readRefund(id)).toMatchObject({ status: 'processing' });
      expect(await readItems(id)).toEqual([{ kind: 'refund-differs', closed_at: null }]);
      await completeRefund(id);
      expect(await readItems(id)).toEqual([{ kind: 'refund-differs', closed_at: expect.any(Date) }]);
    }
  });

  test('that is late changes no ended refund', async () => {
    const id = (await createRefund(await givenPayment())).id;
    let respond: (record: BankReturn) => void = () => {};
    const late = new Promise<BankReturn>((resolve) => {
      respond = resolve;
    });
    const slow = runSending(withBank({ requestRefund: () => late }).deps);
    await expect.poll(async () => (await readRefund(id)).send_count).toBe(1);
    await gateway.advance(100);
    await completeRefund(id);
    expect(await readRefund(id)).toMatchObject({ status: 'completed' });
    respond(await bankRecordOf(id, { status: 'refused' }));
    await slow;
    expect(await readRefund(id)).toMatchObject({ status: 'completed' });
    expect(await readOwnBalances()).toMatchObject({ available: 9000, in_transit: 0 });
  });

  test('in which the bank records the refund as refused returns the money to the balance', async () => {
    const paymentId = await givenPayment();
    const id = (await createRefund(paymentId)).id;
    const refused = async () => bankRecordOf(id, { status: 'refused', reason: 'Conta encerrada.' });
    await runSending(withBank({ requestRefund: refused }).deps);
    expect(await readOwnBalances()).toMatchObject({ available: 10_000, in_transit: 0 });
    expect((await readRefunds(gateway, merchant, paymentId)).refunds).toMatchObject([
      { status: 'failed', error: 'O banco recusou a devolução: Conta encerrada.' },
    ]);
  });
});

// This test is the last of the file, because the clock moves so far that the administrator's session expires.
test('a refund is looked up, and not resent, after an hour of unknown outcome', async () => {
  const id = (await createRefund(await givenPayment())).id;
  const { deps, calls } = withBank({ requestRefund: throwUnknown, findRefund: returnNotFound });
  await runSending(deps);
  await gateway.advance(3600);
  for (let tries = 0; tries < 5; tries += 1) {
    await gateway.advance(700);
    await runSending(deps);
  }
  expect(calls).toEqual(['send', ...Array(5).fill('look up')]);
  expect(await readItems(id)).toEqual([{ kind: 'refund-in-doubt', closed_at: null }]);
  expect(await readOwnBalances()).toMatchObject({ in_transit: 1000 });
});
