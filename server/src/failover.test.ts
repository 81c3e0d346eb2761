import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertConnection } from '../test/connection-row.ts';
import { type GivenMerchant, givenBalance } from '../test/given.ts';
import { WithdrawalStand } from '../test/withdrawal-stand.ts';
import { addMs } from './clock.ts';
import { createPool } from './db/pool.ts';
import { inTransaction } from './db/transaction.ts';
import { handleFailover, handleStoppedAccounts } from './failover.ts';
import { invariant } from './invariant.ts';
import { movements, post } from './ledger/index.ts';
import { newIdEnvio } from './payments/index.ts';
import { lockPayoutsStopAt, readPayoutsStop } from './payouts-stop.ts';
import { createBanks, type Psp, PspUnknown } from './psp/index.ts';
import { bookUnknownReturns } from './refunds/index.ts';
import { insertWithdrawal } from './withdrawals/store.ts';

let stand: WithdrawalStand;
let merchant: GivenMerchant;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());
beforeEach(async () => {
  merchant = await stand.createFundedMerchant(1000);
});
afterEach(async () => {
  await sql`update gateway set payouts_stopped_because = null, compare_with_bank_at = null`.execute(
    stand.deps.db,
  );
  await sql`update open_items set closed_at = now(), closed_by = 1, evidence = 'the next test'`.execute(
    stand.deps.db,
  );
});

const readStop = () => readPayoutsStop(stand.deps.db);

/** Makes the database one that was last used before its server was promoted. */
const failOver = () =>
  sql`update gateway set server = split_part(server, '/', 1) || '/00000000'`.execute(stand.deps.db);

/** Lets the time pass until the comparison with the bank is due. */
const untilComparison = () =>
  sql`update gateway set compare_with_bank_at = now() where compare_with_bank_at is not null`.execute(
    stand.deps.db,
  );

test('after a failover nothing leaves until the bank’s lists are compared; then it leaves by itself', async () => {
  const { id } = await stand.ask(merchant, { amount: 100 });
  await failOver();
  await stand.sendDueWithdrawals();
  expect(await stand.readWithdrawal(merchant, id)).toMatchObject({ status: 'pending' });
  await handleFailover(stand.deps);
  expect(await readStop()).toMatch(/^o banco de dados passou a outro servidor \(linha do tempo 1\)/);
  await untilComparison();
  await handleFailover(stand.deps);
  expect(await readStop()).toBeNull();
  await stand.sendDueWithdrawals();
  await stand.advanceUntilStatus(merchant, id, 'completed');
});

test('a new connection notices the failover before it is used', async () => {
  await failOver();
  const pool = createPool({ url: stand.gateway.database.appUrl, max: 1, detectsServerChange: true });
  const { rows } = await pool.query(
    'select payouts_stopped_because is not null as stopped, server_change_unreported from gateway',
  );
  expect(rows).toEqual([{ stopped: true, server_change_unreported: true }]);
  await pool.end();
});

test('a payout that is missing here keeps payouts stopped until an operator explains it', async () => {
  const idEnvio = `perdido${merchant.id}`;
  await stand.deps.psp.payouts?.sendPayout({
    idEnvio,
    amountCents: 1,
    pixKey: 'maria@example.com',
    note: '',
  });
  // An explained item is opened again when its payout is completed later.
  await expect.poll(() => stand.deps.psp.payouts?.findPayout(idEnvio)).toMatchObject({ status: 'completed' });
  await failOver();
  await handleFailover(stand.deps);
  await untilComparison();
  await handleFailover(stand.deps);
  expect(await readStop()).toMatch(/^o banco de dados passou/);
  expect(await stand.readOpenItemKinds(idEnvio)).toEqual(['payout-not-debited']);
});

test('a refund that is missing here is booked before anything leaves', async () => {
  const payment = await givenBalance(stand.gateway, merchant, 50);
  await stand.deps.psp.refunds?.requestRefund({
    endToEndId: payment.endToEndId,
    refundId: `perdido${merchant.id}`,
    amountCents: 20_00,
    note: '',
  });
  await failOver();
  await handleFailover(stand.deps);
  await expect
    .poll(async () => {
      await untilComparison();
      await handleFailover(stand.deps);
      return readStop();
    })
    .toBeNull();
  const refunds = stand.deps.db.selectFrom('refunds').select(['origin', 'amount_cents']);
  expect(await refunds.where('end_to_end_id', '=', payment.endToEndId).execute()).toEqual([
    { origin: 'bank', amount_cents: 20_00 },
  ]);
});

test('nothing leaves from an account until its own bank has said what it sent and returned', async () => {
  const { db, psp, banks } = stand.deps;
  invariant(psp.payouts !== undefined, 'Banco Sandbox sends Pix');
  const listNothing = async function* () {};
  const pixKey = 'emporio@example.com';
  const connection = { id: await insertConnection(db, merchant.id, pixKey), pixKey };
  const second: Psp = {
    ...psp,
    listReceivedPix: listNothing,
    payouts: { ...psp.payouts, listPayouts: listNothing },
  };
  const readStopAtSecond = () => inTransaction(stand.deps, (tx) => lockPayoutsStopAt(tx, connection.id));
  const compareWith = async (change: Partial<Psp>) => {
    await untilComparison();
    await sql`update stopped_connections set compare_at = now()`.execute(db);
    const others = [{ ...banks.house, connection, psp: { ...second, ...change } }];
    const deps = { ...stand.deps, banks: createBanks(banks.house, others) };
    await handleFailover(deps);
    await handleStoppedAccounts(deps);
    return { stop: await readStop(), stopAtSecond: await readStopAtSecond() };
  };
  // biome-ignore lint/correctness/useYield: the bank fails before the first page
  const failToList = async function* () {
    throw new PspUnknown('no answer');
  };
  await failOver();
  await handleFailover(stand.deps);
  const why = await readStop();
  expect(why).not.toBeNull();
  // While all are stopped, no account is taken up by itself.
  await handleStoppedAccounts(stand.deps);
  expect(await readStopAtSecond()).toBe(why);
  const onlyAtSecond = { stop: null, stopAtSecond: why };
  expect(await compareWith({ listReceivedPix: failToList })).toEqual(onlyAtSecond);
  const payouts = { ...psp.payouts, listPayouts: failToList };
  expect(await compareWith({ payouts })).toEqual(onlyAtSecond);
  expect(await compareWith({})).toEqual({ stop: null, stopAtSecond: null });
  // With nothing to say about the second account, its bank does not change what is known of the operator's own.
  await failOver();
  await handleFailover(stand.deps);
  expect(await compareWith({ payouts })).toEqual(onlyAtSecond);
});

test('a stop by an operator is not lifted', async () => {
  await failOver();
  await handleFailover(stand.deps);
  const body = { reason: 'conta em mudança' };
  await stand.gateway.api('POST', '/admin/payouts/stop', body, { token: stand.admin.token });
  await untilComparison();
  await handleFailover(stand.deps);
  expect(await readStop()).toBe('conta em mudança');
});

test('of a merchant’s own account, the returns of days without movement are not asked for', async () => {
  const { db, psp, clock } = stand.deps;
  await sql`update gateway set created_at = ${addMs(clock.now(), -59.5 * 86_400_000)}`.execute(db);
  const pixKey = 'armazem@example.com';
  const connection = { id: await insertConnection(db, merchant.id, pixKey), pixKey };
  const windows: Date[] = [];
  const listing: Psp = {
    ...psp,
    // biome-ignore lint/correctness/useYield: the list is empty
    async *listReceivedPix(_from, until) {
      windows.push(until);
    },
  };
  const countWindows = async (at: { id: number; pixKey: string }) => {
    windows.length = 0;
    expect(await bookUnknownReturns({ ...stand.deps, connection: at, psp: listing })).toBe(true);
    return windows.length;
  };
  expect(await countWindows(connection)).toBe(3);
  // The operator's own account is asked about every day since the setup.
  expect(await countWindows(stand.deps.connection)).toBe(60);
  // A withdrawal that failed moved money out of the books of the account and back on one day.
  const id = randomUUID();
  const cause = { merchantId: merchant.id, connectionId: connection.id, reference: id, amountCents: 1000 };
  await inTransaction(stand.deps, async (tx) => {
    await post(tx, movements.withdrawalRequested(cause));
    await insertWithdrawal(tx, {
      ...{ merchantId: merchant.id, id, connectionId: connection.id, idEnvio: newIdEnvio(merchant.id) },
      ...{ origin: 'panel', amountCents: 1000, feeCents: 0, keyType: 'email' },
      ...{ pixKey: 'maria@example.com', callbackUrl: null },
    });
  });
  await inTransaction(stand.deps, (tx) => post(tx, movements.withdrawalRefused(cause)));
  await db.updateTable('withdrawals').set({ status: 'failed' }).where('id', '=', id).execute();
  await stand.gateway.advance(20 * 86_400);
  expect(await countWindows(connection)).toBe(5);
});
