// The three kinds of accounts that one gateway speaks for at the same time, and what each of their owners has there.
import { connection, createdPayment } from '@jangada/contract';
import pg from 'pg';
import { backgroundLoops } from '../src/background-work.ts';
import { createNoticeProcessor } from '../src/payments/index.ts';
import {
  type AtBank,
  atBank,
  type Banks,
  type ConnectedBank,
  HOUSE_CONNECTION,
  noticePath,
  type Psp,
} from '../src/psp/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, givenPin, parseSuccess } from './given.ts';
import { entryOf, givenConnection, openSandboxAccount, waitForCheck } from './given-connection.ts';

/** What stands at one account: of each kind one that ended and one on which something depends yet. */
export type StandingAccount = {
  readonly id: number;
  readonly merchant: GivenMerchant;
  readonly bank: TestBank;
  /** A charge that nobody paid. */
  readonly openTxid: string;
  /** A paid charge, with a refund on its way if the bank makes any. */
  readonly paid: { readonly endToEndId: string; readonly txid: string; readonly amountCents: number };
  readonly bankRefundId: string;
  /** Of a withdrawal that is on its way; undefined where the bank sends none. */
  readonly idEnvio: string | undefined;
};

export type ThreeAccounts = {
  readonly gateway: TestGateway;
  readonly accounts: Readonly<Record<'house' | 'own' | 'other', StandingAccount>>;
  /** Runs all loops once, with these responses of the account's bank instead of its own, half a minute later. */
  runLoops(responses?: { readonly at: number; readonly psp: Partial<Psp> }): Promise<void>;
  at(id: number): AtBank;
  /** The path to which the bank of the account sends notices. */
  pathOf(id: number): string;
  /** Sends what a bank would send. Returns the status. */
  tell(path: string, pix: readonly unknown[]): Promise<number>;
  /** Every row of the account in every table, but for those that say when its bank is next asked. */
  snapshot(id: number): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
};

export async function startThreeAccounts(): Promise<ThreeAccounts> {
  const gateway = await startTestGateway({ startsWork: false });
  const otherBank = await startTestBank();
  await gateway.bank.setBehaviour({ notifications: 'never' });
  await gateway.bank.moveMoney('deposit', 1_000_000);
  const admin = await givenAdmin(gateway);
  const [pooled, direct, elsewhere] = [
    await givenMerchant(gateway, { admin }),
    await givenMerchant(gateway, { admin }),
    await givenMerchant(gateway, { admin }),
  ];
  const own = await givenConnection(gateway, direct);
  const otherId = await connectOther(gateway, otherBank, elsewhere, admin.token);
  const owner = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await owner.connect();
  const at = (id: number) => atBank(gateway.deps, id);
  const runLoops: ThreeAccounts['runLoops'] = async (responses) => {
    await Promise.all([gateway.advance(30), otherBank.advance(30)]);
    const banks = responses === undefined ? gateway.deps.banks : saying(gateway.deps.banks, responses);
    const deps = { ...gateway.deps, banks };
    const processor = createNoticeProcessor(deps);
    await processor.sweep();
    await processor.waitUntilIdle(10_000);
    for (const { work } of backgroundLoops) await work(deps);
  };
  const stand = (id: number, merchant: GivenMerchant, bank: TestBank, account?: string) =>
    givenStanding(gateway, { id, merchant, bank, account }, runLoops);
  return {
    gateway,
    accounts: {
      house: await stand(HOUSE_CONNECTION, pooled, gateway.bank),
      own: await stand(own.id, direct, gateway.bank, own.account.id),
      other: await stand(otherId.id, elsewhere, otherBank, otherId.account),
    },
    runLoops,
    at,
    pathOf: (id) => noticePath(at(id)),
    async tell(path, pix) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ pix });
      return (await fetch(gateway.noticesUrl + path, { method: 'POST', headers, body })).status;
    },
    snapshot: (id) => readRowsOf(owner, id),
    async stop() {
      await owner.end();
      await gateway.stop();
      await otherBank.stop();
    },
  };
}

/** An account at a bank whose addresses an administrator entered. */
async function connectOther(
  gateway: TestGateway,
  bank: TestBank,
  merchant: GivenMerchant,
  adminToken: string,
) {
  const account = await openSandboxAccount({ bank });
  const { token, password } = merchant;
  const entry = { ...entryOf(account), bank: 'other' };
  const entered = await gateway.api('POST', '/authed/connections', entry, { token });
  const { id } = parseSuccess(connection, entered);
  const addresses = {
    ...{ api_url: `${bank.apiUrl}/v2`, token_url: `${bank.apiUrl}/oauth/token` },
    reason: 'Banco com API Pix',
  };
  const decide = await gateway.api('PUT', `/admin/connections/${id}/addresses`, addresses, {
    token: adminToken,
  });
  parseSuccess(connection, decide);
  await gateway.api('POST', `/authed/connections/${id}/check`, undefined, { token });
  await waitForCheck(gateway, merchant, id);
  const activated = await gateway.api('POST', `/authed/connections/${id}/activate`, { password }, { token });
  parseSuccess(connection, activated);
  return { id: Number(id), account: account.id };
}

type Standing = Pick<StandingAccount, 'id' | 'merchant' | 'bank'> & { readonly account: string | undefined };

async function givenStanding(
  gateway: TestGateway,
  { id, merchant, bank, account }: Standing,
  runLoops: ThreeAccounts['runLoops'],
): Promise<StandingAccount> {
  const { db } = gateway.deps;
  const query = account === undefined ? '' : `?account=${account}`;
  const behaviour = { notifications: 'never', refunds: 'slow', payouts: 'slow', slowSeconds: 86_400 };
  const set = await fetch(`${bank.url}/sandbox/behaviour${query}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });
  if (!set.ok) throw new Error(await set.text());
  const call = async (path: string, body: object) => {
    const answer = await gateway.api('POST', path, body, merchant);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const createCharge = async (amount: number) => {
    const { id: chargeId, content } = parseSuccess(
      createdPayment,
      await call('/pix/new', { amount, expires_in: 86_400 }),
    );
    const { txid } = await db
      .selectFrom('charges')
      .select('txid')
      .where('id', '=', chargeId)
      .executeTakeFirstOrThrow();
    return { chargeId, content, txid };
  };
  const open = await createCharge(25);
  const paid = await createCharge(500);
  const endToEndId = await bank.pay({ brCode: paid.content });
  await runLoops();
  await call(`/pix/${paid.chargeId}/refund`, { amount: 10 });
  const sendsPayouts = gateway.deps.banks.of(id).psp.payouts !== undefined;
  if (sendsPayouts) {
    await givenPin(gateway, merchant);
    await call('/authed/withdraw', {
      ...{ amount: 50, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: '2580' },
    });
  }
  await runLoops();
  const [refund, withdrawal] = [
    await db
      .selectFrom('refunds')
      .select('bank_refund_id')
      .where('connection_id', '=', id)
      .executeTakeFirst(),
    await db.selectFrom('withdrawals').select('id_envio').where('connection_id', '=', id).executeTakeFirst(),
  ];
  if (refund === undefined || (withdrawal !== undefined) !== sendsPayouts)
    throw new Error(`Something is missing at account ${id}.`);
  return {
    ...{ id, merchant, bank, openTxid: open.txid },
    paid: { endToEndId, txid: paid.txid, amountCents: 500_00 },
    bankRefundId: refund.bank_refund_id,
    idEnvio: withdrawal?.id_envio,
  };
}

/** The same banks, of which one gives these responses instead of its own. */
function saying(banks: Banks, { at, psp }: { readonly at: number; readonly psp: Partial<Psp> }): Banks {
  const change = (bank: ConnectedBank): ConnectedBank => {
    if (bank.connection.id !== at) return bank;
    const { connection: account, callbacks, institution } = bank;
    return { connection: account, callbacks, institution, psp: { ...bank.psp, ...psp } };
  };
  return {
    ...banks,
    house: change(banks.house),
    of: (id) => change(banks.of(id)),
    find(id) {
      const bank = banks.find(id);
      return bank && change(bank);
    },
    all: () => banks.all().map(change),
  };
}

/** When the bank is asked next, and how often it was: what changes at each look at the account's own bank. */
const tablesOfLooks = /_position$|^bank_looks$|^reconciled_days$/;
const columnsOfLooks = /^(?:due_at|next_check_at|lookup_count|attempts|updated_at)$/;

async function readRowsOf(client: pg.Client, id: number): Promise<Record<string, unknown>> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where column_name = 'connection_id' and table_schema = 'public' order by table_name
  `);
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    if (tablesOfLooks.test(name)) continue;
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${name} t where connection_id = $1 order by to_jsonb(t)::text`,
      [id],
    );
    found[name] = rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !columnsOfLooks.test(column))),
    );
  }
  return found;
}
