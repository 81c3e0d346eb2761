import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { insertConnection } from '../../test/connection-row.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { readConfig } from '../config.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import {
  atBank,
  type Banks,
  type Connection,
  callbacksOf,
  connectBank,
  createBanks,
  HOUSE_CONNECTION,
} from '../psp/index.ts';
import { createChargeAtBank, prepareCharge, storePreparedCharge } from './create-payment.ts';
import { cancelPayment, expireCharges } from './end-charges.ts';
import type { Charge } from './payment.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { findCharge } from './store.ts';

// The gateway speaks for two accounts at two banks: the operator's own, and one of a merchant's own.

const pixKey = 'emporio@example.com';
let merchantId: number;
let second: Connection;
let gateway: TestGateway;
let secondBank: TestBank;
let banks: Banks;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  merchantId = await insertMerchant(gateway.deps.db);
  second = { id: await insertConnection(gateway.deps.db, merchantId, pixKey), pixKey };
  secondBank = await startTestBank({ account: { key: pixKey } });
  const { psp } = readConfig({
    PSP_BASE_URL: `${secondBank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${secondBank.apiUrl}/oauth/token`,
    SANDBOX_PORT: String(secondBank.port),
  });
  const adapter = connectBank({ psp, pixKey, merchantCity: 'RECIFE' });
  banks = createBanks(gateway.deps.banks.house, [
    { connection: second, callbacks: callbacksOf(psp), psp: adapter },
  ]);
});

afterAll(async () => {
  await banks.of(second.id).psp.close();
  await secondBank.stop();
  await gateway.stop();
});

const deps = () => ({ ...gateway.deps, banks });
const chargeAt = async (bank: 'house' | 'second', txid: string) => {
  const { psp } = bank === 'house' ? banks.house : banks.of(second.id);
  return psp.findCharge(txid, 'immediate');
};
const reload = (charge: Charge) => findCharge(gateway.deps.db, charge.merchantId, charge.id);

async function givenChargeAt(connectionId: number): Promise<Charge> {
  const { db, clock } = gateway.deps;
  const merchant = await readMerchant(db, merchantId);
  invariant(merchant !== undefined, 'the merchant was stored before all tests');
  const prepared = await prepareCharge(deps(), merchant, {
    merchantId,
    amount: 25,
    expiresInSeconds: 1800,
    callbackUrl: undefined,
  });
  const charge = { ...prepared.charge, connectionId };
  await storePreparedCharge({ db, now: clock.now() }, { ...prepared, charge });
  return createChargeAtBank(deps(), charge, { merchantName: 'Empório Capibaribe' }, 'new');
}

test('a charge is made, cancelled and looked up at its own bank only', async () => {
  const cancelled = await givenChargeAt(second.id);
  const left = await givenChargeAt(second.id);
  expect(await chargeAt('house', left.txid)).toBeUndefined();
  expect(await chargeAt('second', left.txid)).toMatchObject({ status: 'active', pixKey: second.pixKey });

  expect(await cancelPayment(deps(), cancelled.merchantId, cancelled.id)).toMatchObject({
    status: 'expired',
  });
  expect(await chargeAt('second', cancelled.txid)).toMatchObject({ status: 'removed' });

  // If the house were asked, it would not know the charge, and the charge would end as failed.
  await gateway.advance(1900);
  await secondBank.advance(1900);
  await expireCharges(deps());
  expect(await reload(left)).toMatchObject({ status: 'expired' });
});

test('a payment is found at the bank of its charge', async () => {
  const charge = await givenChargeAt(second.id);
  await secondBank.pay({ brCode: charge.brCode });
  await reconcilePayments({ ...deps(), ...banks.house });
  expect(await reload(charge)).toMatchObject({ status: 'pending' });
  await reconcilePayments(atBank(deps(), second.id));
  expect(await reload(charge)).toMatchObject({ status: 'paid' });
});

test('while one bank is silent, the charges of the others end', async () => {
  const atHouse = await givenChargeAt(HOUSE_CONNECTION);
  const atSecond = await givenChargeAt(second.id);
  await gateway.bank.setBehaviour({ charges: 'down' });
  await gateway.advance(1900);
  await secondBank.advance(1900);
  await expireCharges(deps());
  expect(await reload(atSecond)).toMatchObject({ status: 'expired' });
  expect(await reload(atHouse)).toMatchObject({ status: 'pending' });
});

test('a charge at an account that was retired ends some time after its expiry, although no bank can be asked', async () => {
  const charge = await givenChargeAt(second.id);
  const withoutSecond = { ...deps(), banks: createBanks(gateway.deps.banks.house) };
  await gateway.advance(1900);
  await secondBank.advance(1900);
  await expireCharges(withoutSecond);
  expect(await reload(charge)).toMatchObject({ status: 'pending' });
  await gateway.advance(600);
  await expireCharges(withoutSecond);
  expect(await reload(charge)).toMatchObject({ status: 'expired' });
});

test('a charge at an account that another process has just activated is made and cancelled at its bank', async () => {
  const knowing = (isFound: boolean) => {
    let known = createBanks(banks.house);
    const refresh = async () => {
      if (isFound) known = banks;
    };
    const others: Banks = {
      ...banks,
      find: (id) => known.find(id),
      of: (id) => known.of(id),
      all: () => known.all(),
      refresh,
    };
    return { ...gateway.deps, banks: others };
  };
  const { db, clock } = gateway.deps;
  const merchant = await readMerchant(db, merchantId);
  invariant(merchant !== undefined, 'the merchant was stored before all tests');
  const request = { merchantId, amount: 25, expiresInSeconds: 1800, callbackUrl: undefined };
  const prepared = await prepareCharge(deps(), merchant, request);
  const charge = { ...prepared.charge, connectionId: second.id };
  await storePreparedCharge({ db, now: clock.now() }, { ...prepared, charge });
  const retryable = { code: 'PAYMENT_PROCESSING_ERROR', retryAfterSeconds: 5 };
  await expect(
    createChargeAtBank(knowing(false), charge, { merchantName: 'Empório' }, 'new'),
  ).rejects.toMatchObject(retryable);
  await createChargeAtBank(knowing(true), charge, { merchantName: 'Empório' }, 'new');
  await expect(cancelPayment(knowing(false), merchantId, charge.id)).rejects.toMatchObject(retryable);
  expect(await cancelPayment(knowing(true), merchantId, charge.id)).toMatchObject({ status: 'expired' });
});
