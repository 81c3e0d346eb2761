import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { auditLedger, movements, post } from '../ledger/index.ts';
import { insertReturns } from './returns-store.ts';
import { insertWithdrawal, updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

let database: TestDatabase;
let db: Db;
let merchantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  expect((await auditLedger(db)).filter(({ check }) => check.includes('withdrawal'))).toEqual([]);
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  merchantId = await insertMerchant(db);
  await inTransaction({ db, clock: machineClock }, (tx) =>
    post(tx, movements.balanceAdjusted({ merchantId, reference: randomUUID(), differenceCents: 100_000 })),
  );
});

// The database itself, through triggers and constraints, refuses what the gateway must never do to a withdrawal.

const inNewTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
  inTransaction({ db, clock: machineClock }, work);

function newWithdrawal(change: Partial<Withdrawal> = {}) {
  return {
    merchantId,
    id: randomUUID(),
    connectionId: 1,
    idEnvio: randomUUID().replaceAll('-', ''),
    origin: 'panel' as const,
    amountCents: 5000,
    feeCents: 150,
    keyType: 'email' as const,
    pixKey: 'maria@example.com',
    callbackUrl: null,
    ...change,
  };
}

const postRequest = (tx: Tx, id: string, amountCents = 5000) =>
  post(tx, movements.withdrawalRequested({ merchantId, reference: id, amountCents }));

async function givenPending(): Promise<Withdrawal> {
  const withdrawal = newWithdrawal();
  return inNewTransaction(async (tx) => {
    await postRequest(tx, withdrawal.id);
    return insertWithdrawal(tx, withdrawal);
  });
}

const sentColumns = (tx: Tx) => ({
  status: 'processing',
  send_count: 1,
  first_sent_at: tx.now,
  last_sent_at: tx.now,
  unknown_since: tx.now,
});

async function givenProcessing(): Promise<Withdrawal> {
  const withdrawal = await givenPending();
  return inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, sentColumns(tx)));
}

async function givenCompleted(): Promise<Withdrawal> {
  const withdrawal = await givenProcessing();
  return inNewTransaction(async (tx) => {
    const { id: reference, amountCents, feeCents } = withdrawal;
    await post(tx, movements.withdrawalCompleted({ merchantId, reference, amountCents, feeCents }));
    return updateWithdrawal(tx, withdrawal, {
      status: 'completed',
      completed_at: tx.now,
      end_to_end_id: 'E1',
    });
  });
}

/** The database's words at the commit. A cluster says only that it could not commit. */
const differsFromPostings = /differs from its postings|could not commit/;

describe('the database guarantees that a withdrawal', () => {
  test('is stored only together with the debit of its exact amount', async () => {
    await expect(inNewTransaction((tx) => insertWithdrawal(tx, newWithdrawal()))).rejects.toThrow(
      differsFromPostings,
    );
    const withdrawal = newWithdrawal();
    await expect(
      inNewTransaction(async (tx) => {
        await postRequest(tx, withdrawal.id, 4999);
        await insertWithdrawal(tx, withdrawal);
      }),
    ).rejects.toThrow(differsFromPostings);
  });

  test('ends only together with the movement of its money that fits the end', async () => {
    const withdrawal = await givenProcessing();
    await expect(
      inNewTransaction((tx) =>
        updateWithdrawal(tx, withdrawal, { status: 'completed', completed_at: tx.now }),
      ),
    ).rejects.toThrow(differsFromPostings);
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, { status: 'failed' })),
    ).rejects.toThrow(differsFromPostings);
    await expect(
      inNewTransaction(async (tx) => {
        await post(
          tx,
          movements.withdrawalRefused({ merchantId, reference: withdrawal.id, amountCents: 5000 }),
        );
        await updateWithdrawal(tx, withdrawal, { status: 'completed', completed_at: tx.now });
      }),
    ).rejects.toThrow(differsFromPostings);
  });

  test('begins as pending and unsent', async () => {
    const invalidChanges = [
      { status: 'processing', send_count: 1 },
      { send_count: 1, first_sent_at: new Date() },
      { end_to_end_id: 'E1' },
      { status: 'completed', completed_at: new Date() },
    ];
    for (const change of invalidChanges) {
      const { id, idEnvio } = newWithdrawal();
      const row = {
        merchant_id: merchantId,
        id,
        id_envio: idEnvio,
        status: 'pending',
        origin: 'panel',
        amount_cents: 5000,
        fee_cents: 150,
        key_type: 'email',
        pix_key: 'maria@example.com',
        created_at: new Date(),
        updated_at: new Date(),
      };
      await expect(
        db
          .insertInto('withdrawals')
          .values({ ...row, ...change })
          .execute(),
      ).rejects.toThrow('begins as pending');
    }
  });

  test('is the only open one of its merchant', async () => {
    await givenPending();
    await expect(givenPending()).rejects.toThrow('withdrawals_one_at_a_time');
  });

  test('skips no status, and never goes back to an earlier one', async () => {
    const withdrawal = await givenPending();
    const completion = {
      status: 'completed',
      completed_at: new Date(),
      send_count: 1,
      first_sent_at: new Date(),
    };
    await expect(inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, completion))).rejects.toThrow(
      'does not change this way',
    );
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, { send_count: 1 })),
    ).rejects.toThrow('this way');
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, { status: 'processing' })),
    ).rejects.toThrow('this way');
    const sentWithdrawal = await inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, sentColumns(tx)));
    for (const change of [{ status: 'pending' }, { send_count: 0 }, { first_sent_at: new Date() }])
      await expect(inNewTransaction((tx) => updateWithdrawal(tx, sentWithdrawal, change))).rejects.toThrow(
        'this way',
      );
    const failed = await inNewTransaction(async (tx) => {
      await post(
        tx,
        movements.withdrawalRefused({ merchantId, reference: withdrawal.id, amountCents: 5000 }),
      );
      return updateWithdrawal(tx, sentWithdrawal, { status: 'failed' });
    });
    for (const status of ['pending', 'processing', 'completed'])
      await expect(inNewTransaction((tx) => updateWithdrawal(tx, failed, { status }))).rejects.toThrow(
        'this way',
      );
  });

  test('becomes failed after its completion only if its whole net amount was returned', async () => {
    const withdrawal = await givenCompleted();
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, { status: 'failed' })),
    ).rejects.toThrow('this way');
    const insertReturn = (tx: Tx, cents: number) =>
      insertReturns(tx, withdrawal, [{ rtrId: `D${withdrawal.id}${cents}`, amountCents: cents, at: tx.now }]);
    await expect(
      inNewTransaction(async (tx) => {
        await insertReturn(tx, 4849);
        await updateWithdrawal(tx, withdrawal, { status: 'failed', returned_cents: 4849 });
      }),
    ).rejects.toThrow('this way');
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, { status: 'failed', returned_cents: 4850 })),
    ).rejects.toThrow(differsFromPostings);
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, { returned_cents: 4851 })),
    ).rejects.toThrow();
    const failed = await inNewTransaction(async (tx) => {
      await insertReturn(tx, 4850);
      const reference = `${withdrawal.id} D${withdrawal.id}4850`;
      await post(tx, movements.withdrawalReturned({ merchantId, reference, returnedCents: 4850 }));
      return updateWithdrawal(tx, withdrawal, { status: 'failed', returned_cents: 4850 });
    });
    await expect(
      inNewTransaction((tx) => updateWithdrawal(tx, failed, { returned_cents: 0 })),
    ).rejects.toThrow('this way');
  });

  test('keeps its account, order id, amount, fee, key, callback URL, origin and time of creation', async () => {
    const withdrawal = await givenPending();
    const changes = [
      { amount_cents: 5001 },
      { fee_cents: 0 },
      { pix_key: 'joao@example.com' },
      { key_type: 'phone' },
      { id_envio: 'another' },
      { connection_id: 2 },
      { callback_url: 'https://example.com' },
      { created_at: new Date(0) },
      { origin: 'api' },
    ];
    for (const change of changes)
      await expect(inNewTransaction((tx) => updateWithdrawal(tx, withdrawal, change))).rejects.toThrow(
        'this way',
      );
  });
});
