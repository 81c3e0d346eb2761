import { randomBytes } from 'node:crypto';
import { readConfig } from '../src/config.ts';
import { type Banks, type ConnectedBank, callbacksOf, connectBank, type Psp } from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import { type GivenAdmin, type GivenMerchant, givenAdmin, givenMerchant } from './given.ts';

/** An account of a merchant's own, and the bank that holds it. */
export type OwnBank = {
  readonly id: number;
  readonly bank: TestBank;
  /** Changes how the bank responds from now on. */
  respond(change: (psp: Psp) => Psp): void;
};

/** A gateway whose merchants bring accounts of their own. Its time and that of the banks begins at noon in Brasília. */
export type OwnBanksStand = {
  readonly gateway: TestGateway;
  readonly admin: GivenAdmin;
  /** A merchant who is paid into this many active accounts of their own, in order, each at a bank of its own. */
  givenDirectMerchant(accounts: number): Promise<GivenMerchant & { readonly own: readonly OwnBank[] }>;
  /** Moves the time of the gateway and of all banks. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
};

export async function startOwnBanks(options: TestGatewayOptions = {}): Promise<OwnBanksStand> {
  const connected = new Map<number, ConnectedBank>();
  const own: OwnBank[] = [];
  const gateway = await startTestGateway({
    startsWork: false,
    ...options,
    banks: (house) => growingBanks(house, connected),
  });
  await gateway.advance(secondsToNoon(gateway.deps.clock.now()));
  const admin = await givenAdmin(gateway);

  async function connect(merchantId: number, position: number): Promise<OwnBank> {
    const pixKey = `${randomBytes(6).toString('hex')}@example.com`;
    const bank = await startTestBank({ account: { key: pixKey } });
    await bank.advance(Math.round((gateway.deps.clock.now().getTime() - Date.now()) / 1000));
    const now = gateway.deps.clock.now();
    const { id } = await gateway.deps.db
      .insertInto('bank_connections')
      .values({
        ...{ merchant_id: merchantId, bank: 'sandbox', pix_key: pixKey, state: 'active', position },
        ...{ created_at: now, updated_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { psp: settings } = readConfig({
      PSP_BASE_URL: `${bank.apiUrl}/v2`,
      PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
      SANDBOX_PORT: String(bank.port),
    });
    const psp = connectBank({ psp: settings, pixKey, merchantCity: 'RECIFE' });
    const respond: OwnBank['respond'] = (change) =>
      connected.set(id, {
        connection: { id, pixKey },
        callbacks: callbacksOf(settings),
        psp: change(psp),
        institution: `Banco ${id}`,
      });
    respond((bankItself) => bankItself);
    const one: OwnBank = { id, bank, respond };
    own.push(one);
    return one;
  }

  return {
    gateway,
    admin,
    async givenDirectMerchant(accounts) {
      const merchant = await givenMerchant(gateway, { admin, account: { merchant_kind: 'direct' } });
      const banks: OwnBank[] = [];
      for (let position = 1; position <= accounts; position += 1)
        banks.push(await connect(merchant.id, position));
      return { ...merchant, own: banks };
    },
    async advance(seconds) {
      await gateway.advance(seconds);
      await Promise.all(own.map(({ bank }) => bank.advance(seconds)));
    },
    async stop() {
      await gateway.stop();
      await Promise.all(own.map(({ bank }) => bank.stop()));
    },
  };
}

/** Until the next noon in Brasília (UTC−3), because withdrawals have other limits at night. */
function secondsToNoon(now: Date): number {
  const noonMs = Date.parse(`${now.toISOString().slice(0, 10)}T15:00:00Z`);
  const waitMs = noonMs - now.getTime();
  return Math.ceil((waitMs > 0 ? waitMs : waitMs + 86_400_000) / 1000);
}

/** The operator's bank, and those that are added while the gateway runs. */
function growingBanks(house: ConnectedBank, others: ReadonlyMap<number, ConnectedBank>): Banks {
  const all = () => [house, ...others.values()];
  const find = (id: number) => all().find(({ connection }) => connection.id === id);
  return {
    house,
    find,
    of(id) {
      const bank = find(id);
      if (bank === undefined) throw new Error(`no bank is connected as ${id}`);
      return bank;
    },
    all,
    refresh: () => Promise.resolve(),
    close: async () => void (await Promise.all(all().map(({ psp }) => psp.close()))),
  };
}
