import { readConfig } from '../src/config.ts';
import { readMerchant } from '../src/identity/index.ts';
import { invariant } from '../src/invariant.ts';
import { createChargeAtBank, prepareCharge, storePreparedCharge } from '../src/payments/create-payment.ts';
import { reconcilePayments } from '../src/payments/reconcile-payments.ts';
import { type AtBank, atBank, connectBank, createBanks } from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import type { TestGateway } from './gateway.ts';

/** A gateway that speaks for two accounts at two banks: the operator's own, and a second one. */
export type TwoBanks = {
  readonly secondBank: TestBank;
  readonly atHouse: AtBank;
  readonly atSecond: AtBank;
  /** Has a charge of the merchant made and paid at one of the accounts. Returns its endToEndId. */
  receiveAt(account: AtBank, merchantId: number, amount: number): Promise<string>;
  /** Moves the time of the gateway and of both banks. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
};

/** The second account. */
const connection = { id: 2, pixKey: 'emporio@example.com' };

/** Connects a second bank to a gateway, which stops it together with itself by `stop`. */
export async function startSecondBank(gateway: TestGateway): Promise<TwoBanks> {
  const secondBank = await startTestBank({ account: { key: connection.pixKey } });
  const { psp } = readConfig({
    PSP_BASE_URL: `${secondBank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${secondBank.apiUrl}/oauth/token`,
    SANDBOX_PORT: String(secondBank.port),
  });
  const adapter = connectBank({ psp, pixKey: connection.pixKey, merchantCity: 'RECIFE' });
  const banks = createBanks(gateway.deps.banks.house, [{ connection, psp: adapter }]);
  const atHouse = { ...gateway.deps, banks };
  const atSecond = atBank(atHouse, connection.id);
  return {
    secondBank,
    atHouse,
    atSecond,
    async receiveAt(account, merchantId, amount) {
      const brCode = await makeCharge(account, merchantId, amount);
      const bank = account.connection.id === connection.id ? secondBank : gateway.bank;
      const endToEndId = await bank.pay({ brCode });
      await reconcilePayments(account);
      return endToEndId;
    },
    async advance(seconds) {
      await gateway.advance(seconds);
      await secondBank.advance(seconds);
    },
    async stop() {
      await adapter.close();
      await secondBank.stop();
      await gateway.stop();
    },
  };
}

async function makeCharge(account: AtBank, merchantId: number, amount: number): Promise<string> {
  const { db, clock } = account;
  const merchant = await readMerchant(db, merchantId);
  invariant(merchant !== undefined, 'a merchant that was stored');
  const prepared = prepareCharge(account, merchant, {
    merchantId,
    amount,
    expiresInSeconds: 1800,
    callbackUrl: undefined,
  });
  const charge = { ...prepared.charge, connectionId: account.connection.id };
  await storePreparedCharge({ db, now: clock.now() }, { ...prepared, charge });
  const { brCode } = await createChargeAtBank(account, charge, 'Empório Capibaribe', 'new');
  return brCode;
}
