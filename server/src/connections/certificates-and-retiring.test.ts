import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { addMs } from '../clock.ts';
import { inTransaction } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { storeMove } from '../payments/abandoned-store.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { createChargeAtBank, prepareCharge, storePreparedCharge } from '../payments/create-payment.ts';
import { newIdEnvio } from '../payments/index.ts';
import { createBanks, storeNotices } from '../psp/index.ts';
import { insertWithdrawal } from '../withdrawals/store.ts';
import { retireConnections } from './retire-connections.ts';
import { warnOfCertificates } from './warn-certificates.ts';

const dayMs = 86_400_000;
let gateway: TestGateway;
let merchantId: number;
let id: number;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  const { db } = gateway.deps;
  merchantId = await insertMerchant(db);
  id = await insertConnection(db, merchantId, `loja-${merchantId}@example.com`);
});

const change = (changes: Readonly<Record<string, unknown>>) =>
  gateway.deps.db.updateTable('bank_connections').set(changes).where('id', '=', id).execute();
const readRow = () =>
  gateway.deps.db.selectFrom('bank_connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
async function readSubjects(): Promise<string[]> {
  const { db } = gateway.deps;
  const mails = db
    .selectFrom('mails')
    .select('subject')
    .where('user_id', '=', merchantId)
    .orderBy('created_at');
  return (await mails.execute()).map(({ subject }) => subject);
}
async function readPanel(): Promise<unknown[]> {
  const { db } = gateway.deps;
  const notifications = db.selectFrom('notifications').select('data').where('merchant_id', '=', merchantId);
  return (await notifications.orderBy('created_at').execute()).map(({ data }) => data);
}

describe('the certificate of an account', () => {
  const expiring = { type: 'connection.certificate-expiring' };
  /** Lets days pass one by one, with the daily job. Returns after how many days the owner was told. */
  async function passDays(days: number): Promise<number[]> {
    const told: number[] = [];
    for (let passed = 0; passed <= days; passed += 1) {
      const before = (await readPanel()).length;
      for (let times = 0; times < 2; times += 1) await warnOfCertificates(gateway.deps);
      const after = (await readPanel()).length;
      expect(after - before).toBeLessThanOrEqual(1);
      if (after > before) told.push(passed);
      await gateway.advance(86_400);
    }
    return told;
  }

  test('makes its owner be told 30, 14, 3 and 1 days before it expires, and suspends the account when it has', async () => {
    const expiresAt = addMs(gateway.deps.clock.now(), 40 * dayMs);
    await change({ certificate_expires_at: expiresAt });
    expect(await passDays(39)).toEqual([10, 26, 37, 39]);
    expect(await readRow()).toMatchObject({ state: 'active', certificate_warned_days: 1 });
    const { updated_at } = await readRow();
    expect(await passDays(2)).toEqual([0]);
    expect(await readRow()).toMatchObject({ state: 'suspended', suspended_by: 'certificate' });
    expect((await readRow()).updated_at).not.toEqual(updated_at);
    expect(await readPanel()).toMatchObject([
      expiring,
      expiring,
      expiring,
      expiring,
      { type: 'connection.suspended', id: String(id) },
    ]);
    expect(await readSubjects()).toHaveLength(5);
    const { body } = await gateway.deps.db
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', merchantId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(body).toContain(
      'até você enviar outro na página da conta e, quando a verificação passar, reativar',
    );
  });

  test('that was replaced makes its owner be told again before the new one expires', async () => {
    const { clock } = gateway.deps;
    await change({ certificate_expires_at: addMs(clock.now(), dayMs / 2) });
    expect(await passDays(0)).toEqual([0]);
    await change({ certificate_expires_at: addMs(clock.now(), 31 * dayMs) });
    expect(await passDays(2)).toEqual([1]);
  });

  test('that is found late makes its owner be told once, and not about each number of days', async () => {
    await change({ certificate_expires_at: addMs(gateway.deps.clock.now(), 2.5 * dayMs) });
    expect(await passDays(1)).toEqual([0]);
  });
});

describe('an account that its owner gives up', () => {
  const erased = { sealed_key: null, sealed_credentials: null, new_sealed_credentials: null };
  beforeEach(() =>
    change({
      state: 'retiring',
      sealed_key: Buffer.from('key'),
      sealed_credentials: Buffer.from('credentials'),
      new_sealed_credentials: Buffer.from('new'),
    }),
  );
  const retire = async () => {
    await retireConnections(gateway.deps);
    return (await readRow()).state;
  };

  async function storeChargeWithoutCode(connectionId: number) {
    const { db, clock } = gateway.deps;
    const merchant = await readMerchant(db, merchantId);
    invariant(merchant !== undefined, 'the merchant was stored before');
    const request = { merchantId, amount: 25, expiresInSeconds: 1800, callbackUrl: undefined };
    const prepared = await prepareCharge(gateway.deps, merchant, request);
    const charge = { ...prepared.charge, connectionId };
    await storePreparedCharge({ db, now: clock.now() }, { ...prepared, charge });
    return charge;
  }
  async function storeCharge() {
    const charge = await storeChargeWithoutCode(id);
    const { banks } = gateway.deps;
    // The account has the operator's bank for this test.
    const own = { ...banks.house, connection: { ...banks.house.connection, id } };
    const deps = { ...gateway.deps, banks: createBanks(banks.house, [own]) };
    return createChargeAtBank(deps, charge, { merchantName: 'Empório' }, 'new');
  }
  const endCharges = () =>
    gateway.deps.db
      .updateTable('charges')
      .set({ status: 'expired', next_check_at: null })
      .where('merchant_id', '=', merchantId)
      .execute();

  test('is retired when nothing is open: credentials are erased, looks forgotten, and the owner is told once', async () => {
    const { db } = gateway.deps;
    const charge = await storeCharge();
    expect(charge.connectionId).toBe(id);
    const looks = db.selectFrom('bank_looks').select('kind').where('connection_id', '=', id);
    expect(await looks.execute()).not.toEqual([]);
    expect(await retire()).toBe('retiring');
    expect(await readRow()).not.toMatchObject(erased);
    await endCharges();
    expect(await retire()).toBe('retired');
    expect(await readRow()).toMatchObject(erased);
    expect(await looks.execute()).toEqual([]);
    await retire();
    expect(await readPanel()).toMatchObject([{ type: 'connection.retired', id: String(id) }]);
    expect(await readSubjects()).toEqual(['Sua conta bancária foi encerrada']);
  });

  test('waits for a charge that moved there because another bank did not answer', async () => {
    const { db } = gateway.deps;
    const silent = await insertConnection(db, merchantId, `silent-${merchantId}@example.com`);
    const charge = await storeChargeWithoutCode(silent);
    const moved = { ...charge, connectionId: id, txid: newChargeIds(merchantId, charge.createdAt).txid };
    await inTransaction(gateway.deps, (tx) => storeMove(tx, charge, moved, charge.expiresAt));
    expect(await retire()).toBe('retiring');
    await endCharges();
    expect(await retire()).toBe('retired');
  });

  test('waits until what a moved charge may have left at its bank is removed', async () => {
    const { db } = gateway.deps;
    const charge = await storeChargeWithoutCode(id);
    const other = await insertConnection(db, merchantId, `other-${merchantId}@example.com`);
    const moved = { ...charge, connectionId: other, txid: newChargeIds(merchantId, charge.createdAt).txid };
    await inTransaction(gateway.deps, (tx) => storeMove(tx, charge, moved, charge.expiresAt));
    await endCharges();
    expect(await retire()).toBe('retiring');
    await db
      .updateTable('abandoned_charges')
      .set({ next_check_at: null })
      .where('merchant_id', '=', merchantId)
      .execute();
    expect(await retire()).toBe('retired');
  });

  test('waits for a withdrawal without its end, and for a notice that is not processed', async () => {
    const { db, clock } = gateway.deps;
    const withdrawalId = randomUUID();
    await inTransaction(gateway.deps, async (tx) => {
      const reference = withdrawalId;
      await post(
        tx,
        movements.withdrawalRequested({ merchantId, connectionId: id, reference, amountCents: 1000 }),
      );
      await insertWithdrawal(tx, {
        ...{ merchantId, id: withdrawalId, connectionId: id, idEnvio: newIdEnvio(merchantId) },
        ...{ origin: 'panel', amountCents: 1000, feeCents: 0, keyType: 'email' },
        ...{ pixKey: 'maria@example.com', callbackUrl: null },
      });
    });
    await gateway.advance(91 * 86_400);
    expect(await retire()).toBe('retiring');
    await inTransaction(gateway.deps, (tx) =>
      post(
        tx,
        movements.withdrawalRefused({
          merchantId,
          connectionId: id,
          reference: withdrawalId,
          amountCents: 1000,
        }),
      ),
    );
    await db
      .updateTable('withdrawals')
      .set({ status: 'failed' })
      .where('merchant_id', '=', merchantId)
      .execute();
    // Money that moved can still come back for 90 days.
    expect(await retire()).toBe('retiring');
    await gateway.advance(91 * 86_400);
    const notice = { endToEndId: 'E00000000202611221200aaaaaaaaaaa', told: {} };
    await storeNotices({ db, now: clock.now() }, [{ connectionId: id, notices: [notice] }]);
    expect(await retire()).toBe('retiring');
    await db.updateTable('psp_inbox').set({ state: 'done' }).where('connection_id', '=', id).execute();
    expect(await retire()).toBe('retired');
  });
});
