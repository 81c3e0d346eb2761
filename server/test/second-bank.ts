import { Client } from 'pg';
import { readConfig } from '../src/config.ts';
import { readMerchant } from '../src/identity/index.ts';
import { invariant } from '../src/invariant.ts';
import { createChargeAtBank, prepareCharge, storePreparedCharge } from '../src/payments/create-payment.ts';
import { reconcilePayments } from '../src/payments/reconcile-payments.ts';
import {
  type AtBank,
  atBank,
  type Banks,
  callbacksOf,
  connectBank,
  createBanks,
  HOUSE_CONNECTION,
  OWN_ACCOUNT_LIMITS,
  type Psp,
} from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import type { TestGateway } from './gateway.ts';

/** The account besides the operator's own. */
export const secondConnection = { id: 2, pixKey: 'emporio@example.com' };
export const bothConnections = [HOUSE_CONNECTION, secondConnection.id] as const;

export const otherConnection = (id: number) =>
  id === HOUSE_CONNECTION ? secondConnection.id : HOUSE_CONNECTION;

/** Two accounts at two banks: the operator's own, which is the gateway's, and a second one. */
export type TwoBanks = {
  readonly banks: Banks;
  readonly atHouse: AtBank;
  readonly atSecond: AtBank;
  /** The bank of an account, as its customers and payers reach it. */
  testBank(connectionId: number): TestBank;
  /**
   * Opens the books of a merchant at the second account. An account belongs to one merchant, but each test has a new
   * one.
   */
  openBooks(merchantId: number): Promise<void>;
  /** Has a charge of the merchant made and paid at one of the accounts. Returns its endToEndId. */
  receiveAt(account: AtBank, merchantId: number, amount: number): Promise<string>;
  /** Moves the time of the gateway and of both banks. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a second bank at the gateway's time, with money in its account. */
export async function startSecondBank(gateway: TestGateway): Promise<TwoBanks> {
  const bank = await startTestBank({ account: { key: secondConnection.pixKey } });
  await bank.advance(Math.round((gateway.deps.clock.now().getTime() - Date.now()) / 1000));
  await bank.moveMoney('deposit', 1_000_000);
  const { psp: settings } = readConfig({
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    SANDBOX_PORT: String(bank.port),
  });
  const psp = connectBank(
    { psp: settings, pixKey: secondConnection.pixKey, merchantCity: 'RECIFE' },
    { limits: OWN_ACCOUNT_LIMITS },
  );
  const second = { connection: secondConnection, psp, callbacks: callbacksOf(settings) };
  const banks = createBanks(gateway.deps.banks.house, [second]);
  const atHouse = { ...gateway.deps, banks };
  const testBank = (connectionId: number) => (connectionId === HOUSE_CONNECTION ? gateway.bank : bank);
  return {
    banks,
    atHouse,
    atSecond: atBank(atHouse, secondConnection.id),
    testBank,
    async openBooks(merchantId) {
      const owner = new Client({ connectionString: gateway.database.ownerUrl });
      await owner.connect();
      await owner.query('insert into ledger_balances (merchant_id, connection_id) values ($1, $2)', [
        merchantId,
        secondConnection.id,
      ]);
      await owner.end();
    },
    async receiveAt(account, merchantId, amount) {
      const brCode = await makeCharge(account, merchantId, amount);
      const endToEndId = await testBank(account.connection.id).pay({ brCode });
      await reconcilePayments(account);
      return endToEndId;
    },
    async advance(seconds) {
      await gateway.advance(seconds);
      await bank.advance(seconds);
    },
    async stop() {
      await psp.close();
      await bank.stop();
    },
  };
}

async function makeCharge(account: AtBank, merchantId: number, amount: number): Promise<string> {
  const { db, clock } = account;
  const merchant = await readMerchant(db, merchantId);
  invariant(merchant !== undefined, 'a merchant that was stored');
  // The kind decides where a merchant's charges are made; here the test does.
  const prepared = await prepareCharge(
    account,
    { ...merchant, kind: 'pooled' },
    {
      merchantId,
      amount,
      expiresInSeconds: 1800,
      callbackUrl: undefined,
    },
  );
  const charge = { ...prepared.charge, connectionId: account.connection.id };
  await storePreparedCharge({ db, now: clock.now() }, { ...prepared, charge });
  const { brCode } = await createChargeAtBank(account, charge, { merchantName: 'Empório Capibaribe' }, 'new');
  return brCode;
}

/** Dependencies of work at one account, at a bank that gives these responses instead of its own. */
export function withResponses(deps: AtBank, responses: Partial<Psp>): AtBank {
  return { ...deps, psp: { ...deps.psp, ...responses } };
}
