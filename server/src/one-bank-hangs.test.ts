import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { insertMerchant } from '../test/merchant-row.ts';
import { otherConnection, secondConnection, startSecondBank, type TwoBanks } from '../test/second-bank.ts';
import { backgroundLoops } from './background-work.ts';
import { inTransaction } from './db/transaction.ts';
import type { Deps } from './deps.ts';
import { readMerchant } from './identity/index.ts';
import { invariant } from './invariant.ts';
import { movements, post } from './ledger/index.ts';
import { createChargeAtBank, prepareCharge, storePreparedCharge } from './payments/create-payment.ts';
import { type Charge, expireCharges, findCharge, newIdEnvio } from './payments/index.ts';
import { atBank, type ConnectedBank, createBanks, HOUSE_CONNECTION, type Psp } from './psp/index.ts';
import { findWithdrawal, insertWithdrawal } from './withdrawals/store.ts';

// The gateway speaks for two accounts at two banks, and one of them takes every call and never answers.

let gateway: TestGateway;
let two: TwoBanks;
let merchantId: number;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  two = await startSecondBank(gateway);
  await gateway.bank.moveMoney('deposit', 1_000_000);
});
afterAll(async () => {
  await two.stop();
  await gateway.stop();
});
beforeEach(async () => {
  merchantId = await insertMerchant(gateway.deps.db);
  await two.openBooks(merchantId);
});

const never = () => new Promise<never>(() => {});
async function* hangingList() {
  yield await never();
}

/** A bank that takes every call and never answers. Counts the calls. */
function createHangingPsp(): Psp & { calls: number } {
  const call = () => {
    psp.calls += 1;
    return never();
  };
  const list = () => {
    psp.calls += 1;
    return hangingList();
  };
  const psp = {
    calls: 0,
    createCharge: call,
    findCharge: call,
    removeCharge: call,
    findReceivedPix: call,
    listReceivedPix: list,
    findNoticeUrl: call,
    registerNoticeUrl: call,
    reachable: () => true,
    health: () => ({ answers: 0, failuresInARow: 0, lastFailure: undefined }),
    close: async () => {},
    refunds: { requestRefund: call, findRefund: call },
    payouts: { isResendSafe: true, sendPayout: call, findPayout: call, listPayouts: list },
    disputes: { takesFiles: false, listDisputes: list, findDispute: call, sendDefence: call },
  };
  return psp;
}

async function storeCharge(deps: Deps, connectionId: number): Promise<Charge> {
  const merchant = await readMerchant(deps.db, merchantId);
  invariant(merchant !== undefined, 'the merchant was stored before');
  const request = { merchantId, amount: 25, expiresInSeconds: 1800, callbackUrl: undefined };
  const prepared = await prepareCharge(deps, merchant, request);
  const charge = { ...prepared.charge, connectionId };
  await storePreparedCharge({ db: deps.db, now: deps.clock.now() }, { ...prepared, charge });
  return charge;
}

async function storeWithdrawal(deps: Deps, connectionId: number, merchantId: number): Promise<string> {
  const id = randomUUID();
  await inTransaction(deps, async (tx) => {
    const amounts = { amountCents: 1000, feeCents: 0 };
    await post(
      tx,
      movements.withdrawalRequested({ merchantId, connectionId, reference: id, amountCents: 1000 }),
    );
    await insertWithdrawal(tx, {
      merchantId,
      id,
      connectionId,
      idEnvio: newIdEnvio(merchantId),
      origin: 'panel',
      ...amounts,
      keyType: 'email',
      pixKey: 'maria@example.com',
      callbackUrl: null,
    });
  });
  return id;
}

describe.each([
  ['the operator’s own', HOUSE_CONNECTION],
  ['a merchant’s own', secondConnection.id],
])('while the bank of %s account hangs', (_name, hangingId) => {
  const answeringId = otherConnection(hangingId);
  let hanging: ReturnType<typeof createHangingPsp>;
  let deps: Deps;
  const run = (name: string) => backgroundLoops.find((loop) => loop.name === name)?.work(deps);

  beforeEach(async () => {
    hanging = createHangingPsp();
    const hang = (bank: ConnectedBank): ConnectedBank =>
      bank.connection.id === hangingId ? { ...bank, psp: hanging } : bank;
    const [house, second] = [HOUSE_CONNECTION, secondConnection.id].map((id) => hang(two.banks.of(id)));
    invariant(house !== undefined && second !== undefined, 'there are two accounts');
    deps = { ...gateway.deps, banks: createBanks(house, [second]) };
    // The operator's balance is known from before.
    await backgroundLoops.find(({ name }) => name === 'bank balance')?.work(gateway.deps);
  });

  afterEach(async () => {
    // The charges that are left end at banks that answer.
    await two.advance(120);
    while ((await expireCharges({ ...gateway.deps, banks: two.banks })) > 0);
  });

  test('charges are made, paid and withdrawn at the other, and each loop has asked the hanging one once', async () => {
    const other = await insertMerchant(deps.db);
    await two.openBooks(other);
    await two.receiveAt(atBank(two.atHouse, hangingId), other, 50);
    await storeWithdrawal(deps, hangingId, other);
    for (const name of ['reconciliation', 'withdrawals', 'disputes', 'sent Pix']) await run(name);
    expect(hanging.calls).toBe(4);

    const stored = await storeCharge(deps, answeringId);
    const charge = await createChargeAtBank(deps, stored, { merchantName: 'Empório Capibaribe' }, 'new');
    await two.testBank(answeringId).pay({ brCode: charge.brCode });
    await two.advance(20);
    await run('reconciliation');
    expect(await findCharge(deps.db, merchantId, charge.id)).toMatchObject({ status: 'paid' });
    const withdrawalId = await storeWithdrawal(deps, answeringId, merchantId);
    await run('withdrawals');
    await expect
      .poll(async () => {
        await two.advance(2);
        await run('withdrawal look-ups');
        return findWithdrawal(deps.db, merchantId, withdrawalId);
      })
      .toMatchObject({ status: 'completed' });
    for (const name of ['reconciliation', 'withdrawals', 'disputes', 'sent Pix']) await run(name);
    expect(hanging.calls).toBe(4);
  });

  test('charges there, however many are over, keep none of the other from ending', async () => {
    const stuck: Charge[] = [];
    for (let count = 0; count < 120; count += 1) stuck.push(await storeCharge(deps, hangingId));
    const charge = await createChargeAtBank(
      deps,
      await storeCharge(deps, answeringId),
      { merchantName: 'Empório Capibaribe' },
      'new',
    );
    await two.advance(1900);
    for (let turns = 0; turns < 2; turns += 1) await run('expiry');
    expect(await findCharge(deps.db, merchantId, charge.id)).toMatchObject({ status: 'expired' });
    expect(await findCharge(deps.db, merchantId, stuck[0]?.id ?? '')).toMatchObject({ status: 'pending' });
  });
});
