import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { newClientInfo } from '../../test/people.ts';
import { withPsp } from '../../test/with-psp.ts';
import { authenticateApiKey } from '../api-keys/index.ts';
import { verifyChain } from '../audit/index.ts';
import { readBookedBalance } from '../bank-watch/balance-store.ts';
import { compareWindow } from '../bank-watch/reconcile-days.ts';
import { calendarDayOf, startOfDay } from '../calendar-day.ts';
import { type Clock, createAdjustableClock, machineClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createLiveBanks } from '../connections/index.ts';
import { createDb, createPool } from '../db/pool.ts';
import { createFiles } from '../files/index.ts';
import { readDataDirectory, stampDatabase } from '../gateway/index.ts';
import { authenticateSession, registerAccount, signIn } from '../identity/index.ts';
import { auditLedger } from '../ledger/index.ts';
import { type AtBank, connectHouse } from '../psp/index.ts';
import { createSecrets } from '../secrets.ts';
import { people } from './people.ts';
import { type DemoAccount, seedDemo } from './seed-demo.ts';

let database: TestDatabase;
let bank: TestBank;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startTestBank()]);
});
afterEach(async () => {
  for (let cleanUp = cleanUps.pop(); cleanUp !== undefined; cleanUp = cleanUps.pop()) await cleanUp();
  await bank.stop();
  await database.drop();
});

/** One process of a gateway, before it listens. */
function startProcess(
  env: Record<string, string> = {},
  { clock = machineClock, url = database.appUrl }: { clock?: Clock; url?: string } = {},
): AtBank {
  const config = readConfig({
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    PSP_CLIENT_ID: bank.clientId,
    PSP_CLIENT_SECRET: bank.clientSecret,
    ...env,
  });
  const db = createDb(createPool({ url }));
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const house = connectHouse(config);
  const log = pino({ level: 'silent' });
  const banks = createLiveBanks(house, { db, secrets, config, log });
  cleanUps.push(
    () => db.destroy(),
    () => banks.close(),
  );
  return {
    db,
    ...house,
    banks,
    config,
    clock,
    log,
    secrets,
    files: createFiles({ config, secrets }),
  };
}

const demo: DemoAccount[] = [
  { username: 'lojista', password: 'lojista-demo' },
  { username: 'lojadireta', password: 'lojadireta-demo' },
  { username: 'admin', password: 'admin-demo' },
];

async function callerOf(deps: AtBank, account: DemoAccount) {
  const { token } = await signIn(deps, account, newClientInfo());
  return authenticateSession(deps, token);
}

const readBankAccount = async () => {
  const answer = await fetch(`${bank.url}/sandbox/account`);
  return (await answer.json()) as { balance: number; payments: number };
};
const readBankOffset = async () => {
  const answer = await fetch(`${bank.url}/sandbox/clock`);
  return ((await answer.json()) as { offsetSeconds: number }).offsetSeconds;
};

/** Counts a table's rows by their status. */
async function countBy(deps: AtBank, table: 'withdrawals' | 'disputes' | 'refunds' | 'kyc_submissions') {
  const rows = await deps.db.selectFrom(table).select('status').execute();
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, rowsOfStatus]) => [
      status,
      rowsOfStatus.length,
    ]),
  );
}

/** Sums up the payouts that have left the bank but are not yet booked as completed. */
async function sumProcessingCents(deps: AtBank): Promise<number> {
  const rows = deps.db.selectFrom('withdrawals').select(['amount_cents', 'fee_cents']);
  const processing = await rows.where('status', '=', 'processing').execute();
  return processing.reduce((sum, { amount_cents, fee_cents }) => sum + amount_cents - fee_cents, 0);
}

test('an empty sandbox gets its accounts, and the merchant a valid key and fees', async () => {
  const deps = startProcess();
  expect(await seedDemo(deps, 1)).toEqual(demo);
  const [merchant, , admin] = await Promise.all(demo.map((account) => callerOf(deps, account)));
  expect(admin).toMatchObject({ role: 'ADMIN' });
  expect(merchant).toMatchObject({ role: 'USER', approved: true });
  const row = await deps.db
    .selectFrom('users')
    .innerJoin('api_keys', 'api_keys.merchant_id', 'users.id')
    .select(['api_active', 'in_rate', 'fix_in_cents', 'out_rate', 'fix_out_cents', 'sealed_key'])
    .where('users.id', '=', merchant?.userId ?? 0)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    api_active: true,
    in_rate: 99,
    fix_in_cents: 0,
    out_rate: 0,
    fix_out_cents: 150,
  });
  const key = deps.secrets.open('api-key', row.sealed_key);
  expect(await authenticateApiKey(deps, key, '203.0.113.7')).toMatchObject({ userId: merchant?.userId });
});

test('two months of sales are in the bank’s books and ours alike, and end in the present', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const deps: AtBank = { ...startProcess(), log };
  await stampDatabase({ ...deps, dataDirectory: await readDataDirectory(database.ownerUrl) });
  await seedDemo(deps);
  expect(logged).toEqual([]);
  const { userId } = await callerOf(deps, demo[0] ?? { username: '', password: '' });
  const charges = await deps.db.selectFrom('charges').selectAll().execute();
  const shopCharges = charges.filter(({ merchant_id }) => merchant_id === userId);
  const channels = new Set(shopCharges.map(({ made_with }) => made_with));
  const days = await deps.db
    .selectFrom('merchant_days')
    .selectAll()
    .where('merchant_id', '=', userId)
    .execute();
  const payers = await deps.db.selectFrom('received_pix').select('payer_document').distinct().execute();

  expect(shopCharges.filter(({ status }) => status === 'paid').length).toBeGreaterThan(200);
  expect(shopCharges.filter(({ status }) => status === 'expired').length).toBeGreaterThan(10);
  expect(shopCharges.filter(({ status }) => status === 'pending')).toHaveLength(2);
  expect(
    shopCharges.some(
      ({ refunded_cents, amount_cents }) => refunded_cents > 0 && refunded_cents < amount_cents,
    ),
  ).toBe(true);
  expect(shopCharges.some(({ status }) => status === 'refunded')).toBe(true);
  expect([...channels].toSorted()).toEqual(['counter-code', 'panel', 'payment-link', 'readable-key']);
  expect(days.length).toBeGreaterThan(40);
  expect(payers.length).toBeGreaterThan(80);
  expect(await countBy(deps, 'withdrawals')).toMatchObject({ failed: 1, processing: 1 });
  expect(await countBy(deps, 'disputes')).toEqual({ open: 1, won: 1 });
  expect(await countBy(deps, 'refunds')).toEqual({ completed: 5 });
  expect(await countBy(deps, 'kyc_submissions')).toEqual({ pending: 2, rejected: 1 });

  await expectShopSystems(deps, userId);
  await expectOwnAccount(deps);

  const now = deps.clock.now();
  for (const { br_code, made_with, created_at, paid_at, status, expires_at } of shopCharges) {
    expect(br_code === '').toBe(made_with === 'counter-code');
    expect(created_at <= now && (paid_at ?? created_at) <= now).toBe(true);
    // A counter code's charge is created only by its payment.
    expect(made_with === 'counter-code' || paid_at === null || paid_at >= created_at).toBe(true);
    expect(status === 'pending').toBe(expires_at > now && paid_at === null);
  }
  const compared = await deps.db.selectFrom('reconciled_days').select('differences').execute();
  expect(compared).toHaveLength(7);
  expect(compared.every(({ differences }) => differences === 0)).toBe(true);
  expect(await auditLedger(deps.db)).toEqual([]);
  expect((await verifyChain(deps, undefined)).findings).toEqual([]);
  const since = new Date(now.getTime() - 63 * 86_400_000);
  expect(await compareWindow(deps, { day: calendarDayOf(now), from: since, until: now })).toMatchObject({
    differences: 0,
  });
  const { bookedCents } = await readBookedBalance(deps.db);
  expect(Math.round((await readBankAccount()).balance * 100)).toBe(
    bookedCents - (await sumProcessingCents(deps)),
  );
  expect(await readBankOffset()).toBe(0);
});

/** Expects links and codes with sales, scoped keys, a destination, and an endpoint with delivered events. */
async function expectShopSystems({ db }: AtBank, merchantId: number): Promise<void> {
  const links = db.selectFrom('payment_links').select(['title', 'payments', 'max_payments']);
  const linkRows = await links.where('merchant_id', '=', merchantId).orderBy('created_at').execute();
  expect(linkRows.map(({ title }) => title)).toEqual([
    'Camiseta Frevo',
    'Cesta de café da manhã',
    'Oficina de xilogravura',
  ]);
  expect(linkRows.at(-1)).toMatchObject({ payments: 6, max_payments: 6 });
  const codes = db.selectFrom('counter_codes').select(['name', 'payments']);
  const codeRows = await codes.where('merchant_id', '=', merchantId).execute();
  expect(codeRows).toHaveLength(2);
  for (const row of [...linkRows, ...codeRows]) expect(row.payments).toBeGreaterThan(2);

  const keys = await db.selectFrom('scoped_keys').select(['last_used_at', 'expires_at']).execute();
  expect(keys).toHaveLength(3);
  expect(keys.filter((key) => key.last_used_at !== null)).toHaveLength(1);

  // A destination for API withdrawals, which are disabled.
  const destinations = db.selectFrom('withdrawal_destinations').select(['pix_key', 'key_type', 'label']);
  expect(await destinations.where('merchant_id', '=', merchantId).execute()).toEqual([
    { pix_key: 'marina.albuquerque@example.com', key_type: 'email', label: 'Conta da loja' },
  ]);
  const controls = db.selectFrom('withdrawal_controls').select('api_enabled');
  expect(await controls.where('merchant_id', '=', merchantId).execute()).toEqual([{ api_enabled: false }]);

  const { rows: totals } = await sql<{ state: string; attempts: number; deliveries: number }>`
    select state, jsonb_array_length(attempts) as attempts, count(*)::int as deliveries from webhook_deliveries
    where merchant_id = ${merchantId} group by 1, 2 order by 2
  `.execute(db);
  expect(totals).toMatchObject([
    { state: 'delivered', attempts: 1 },
    { state: 'delivered', attempts: 2 },
  ]);
  expect(totals[0]?.deliveries).toBeGreaterThan(100);
  const page = await fetch(`${bank.url}/loja/webhooks`);
  expect(await page.text()).toContain('webhook-signature');
}

/**
 * Expects that the second merchant is paid into an account of their own, owes its fees by month, and has paid those of
 * months that are over for some days. A further account at the bank belongs to nobody yet.
 */
async function expectOwnAccount({ db, banks, clock }: AtBank): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['id', 'merchant_kind'])
    .where('username', '=', 'lojadireta')
    .executeTakeFirstOrThrow();
  expect(owner.merchant_kind).toBe('direct');
  const connections = await db.selectFrom('bank_connections').selectAll().execute();
  expect(connections).toMatchObject([{ merchant_id: owner.id, bank: 'sandbox', state: 'active' }]);
  const id = connections[0]?.id ?? 0;
  const charges = db.selectFrom('charges').select(['connection_id', 'status', 'paid_at']);
  const own = await charges.where('merchant_id', '=', owner.id).execute();
  expect(own.length).toBeGreaterThan(25);
  expect(new Set(own.map((charge) => charge.connection_id))).toEqual(new Set([id]));
  expect(new Set(own.map(({ status }) => status))).toEqual(new Set(['paid', 'refunded']));

  const statements = await db.selectFrom('fee_statements').select(['closed_at', 'state']).execute();
  expect(statements.length).toBeGreaterThan(0);
  for (const { closed_at, state } of statements) {
    const age = clock.now().getTime() - closed_at.getTime();
    if (age > 5 * 86_400_000) expect(state).toBe('paid');
  }

  const answer = await fetch(`${bank.url}/sandbox/accounts`);
  const accounts = (await answer.json()) as { key: string; balance: number }[];
  expect(accounts).toHaveLength(3);
  expect(accounts.map(({ key }) => banks.all().find(({ connection }) => connection.pixKey === key))).toEqual([
    banks.house,
    banks.of(id),
    undefined,
  ]);
  expect(accounts[1]?.balance).toBeGreaterThan(1000);
}

test('where only the operator’s account is admitted, nobody has an account of their own', async () => {
  const deps = startProcess({ MERCHANT_ACCOUNTS: 'pooled' });
  expect((await seedDemo(deps, 1)).map(({ username }) => username)).toEqual(['lojista', 'admin']);
  expect(await deps.db.selectFrom('bank_connections').select('id').execute()).toEqual([]);
});

test('the demo is the same at any time of day', async () => {
  const midnight = startOfDay('2026-10-22').getTime();
  // Withdrawals are capped at night, and there are no sales shortly after midnight.
  const hours = process.env['LONG'] ? Array.from({ length: 24 }, (_, hour) => hour) : [0, 5, 12, 21];
  for (const hour of hours) {
    const report = await seedAt(new Date(midnight + (hour + 0.5) * 3_600_000));
    expect(report, `at ${hour}:30`).toEqual({
      logged: [],
      withdrawals: [{ status: 'processing', amount_cents: 100_000 }],
      newcomers: ['jurema.veloso'],
      pending: 2,
      soldToday: true,
      offset: 0,
    });
  }
});

/** Seeds a sandbox with a bank of its own at this time, and returns what a user would find. */
async function seedAt(moment: Date) {
  const clock = createAdjustableClock();
  clock.follow(moment);
  const [ownDatabase, ownBank] = await Promise.all([
    createTestDatabase(),
    startTestBank({ machineNow: () => clock.now().getTime() }),
  ]);
  const logged: string[] = [];
  const env = {
    PSP_BASE_URL: `${ownBank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${ownBank.apiUrl}/oauth/token`,
  };
  const deps: AtBank = {
    ...startProcess(env, { clock, url: ownDatabase.appUrl }),
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  };
  cleanUps.unshift(
    () => ownDatabase.drop(),
    () => ownBank.stop(),
  );
  await stampDatabase({ ...deps, dataDirectory: await readDataDirectory(ownDatabase.ownerUrl) });
  await seedDemo(deps, 1);
  const charges = await deps.db.selectFrom('charges').select(['status', 'paid_at']).execute();
  const users = deps.db.selectFrom('users').select('username').orderBy('username');
  const newest = people.filter(({ daysAgo }) => daysAgo === 0).map(({ username }) => username);
  const answer = await fetch(`${ownBank.url}/sandbox/clock`);
  return {
    logged,
    withdrawals: await deps.db.selectFrom('withdrawals').select(['status', 'amount_cents']).execute(),
    newcomers: (await users.where('username', 'in', newest).execute()).map(({ username }) => username),
    pending: charges.filter(({ status }) => status === 'pending').length,
    soldToday: charges.some(
      ({ paid_at }) => paid_at !== null && calendarDayOf(paid_at) === calendarDayOf(moment),
    ),
    offset: ((await answer.json()) as { offsetSeconds: number }).offsetSeconds,
  };
}

test('of concurrent starts one creates the demo', async () => {
  const processes = [startProcess(), startProcess(), startProcess()];
  const printed = await Promise.all(processes.map((deps) => seedDemo(deps, 1)));
  for (const accounts of printed) expect(accounts).toEqual(demo);
  const merchantRows = processes[0]?.db.selectFrom('users').select('id').where('username', '=', 'lojista');
  expect(await merchantRows?.execute()).toHaveLength(1);
  expect(await readBankOffset()).toBe(0);
});

test('a second start adds nothing', async () => {
  const deps = startProcess();
  await seedDemo(deps, 1);
  const before = await readBankAccount();
  expect(await seedDemo(deps, 1)).toEqual(demo);
  expect(await readBankAccount()).toEqual(before);
});

test('a database with users is left unchanged', async () => {
  const deps = startProcess();
  const person = {
    username: 'alguem',
    name: 'Alguem Outro',
    email: 'a@example.com',
    password: 'uma senha boa',
  };
  await registerAccount(deps, { ...person, document: '52998224725', doctype: 'cpf' }, newClientInfo());
  expect(await seedDemo(deps, 1)).toEqual([]);
  expect(await readBankAccount()).toMatchObject({ payments: 0 });
});

test('outside the sandbox no demo is created', async () => {
  const sandbox = startProcess();
  const deps = { ...sandbox, config: { ...sandbox.config, mode: 'live' as const } };
  expect(await seedDemo(deps, 1)).toEqual([]);
  expect(await deps.db.selectFrom('users').select('id').where('id', '>', 0).execute()).toEqual([]);
});

test('a sandbox open to others has random passwords, printed once', async () => {
  const deps = startProcess({ SANDBOX_PUBLIC: '1' });
  const printed = await seedDemo(deps, 1);
  expect(printed.map(({ username }) => username)).toEqual(['lojista', 'lojadireta', 'admin']);
  for (const [index, account] of printed.entries()) {
    await callerOf(deps, account);
    await expect(callerOf(deps, demo[index] ?? account)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  }
  expect(await seedDemo(deps, 1)).toEqual([]);
});

test('opening an existing sandbox to others replaces the public passwords and ends their sessions', async () => {
  const localProcess = startProcess();
  const [merchant = { username: '', password: '' }] = await seedDemo(localProcess, 1);
  const { token } = await signIn(localProcess, merchant, newClientInfo());
  const publicProcess = startProcess({ SANDBOX_PUBLIC: '1' });
  const [changed = merchant] = await seedDemo(publicProcess, 1);
  expect(changed.username).toBe('lojista');
  await callerOf(publicProcess, changed);
  await expect(authenticateSession(publicProcess, token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(callerOf(publicProcess, merchant)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
});

test('if its bank cannot be reached, the demo has its accounts, but no charges', async () => {
  const deps = startProcess({ PSP_BASE_URL: 'http://127.0.0.1:9/v2' });
  expect(await seedDemo(deps, 1)).toEqual(demo);
  expect(await deps.db.selectFrom('charges').select('id').execute()).toEqual([]);
});

test('after a start that failed or was killed while the bank was in the past, time is in the present', async () => {
  const deps = startProcess();
  await seedDemo(withPsp(deps, { ...deps.psp, createCharge: () => Promise.reject(new Error('killed')) }), 1);
  expect(await readBankOffset()).toBe(0);

  const otherBank = await startTestBank();
  const callBank = (method: string, path: string, body: object) =>
    fetch(`${otherBank.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await callBank('POST', '/sandbox/clock', { beginSecondsAgo: 86_400 });
  await callBank('PUT', '/sandbox/behaviour', { payouts: 'refused' });
  await seedDemo(startProcess({ PSP_BASE_URL: `${otherBank.apiUrl}/v2` }), 1);
  const clock = await fetch(`${otherBank.url}/sandbox/clock`);
  expect(await clock.json()).toMatchObject({ offsetSeconds: 0 });
  const behaviour = await fetch(`${otherBank.url}/sandbox/behaviour`);
  expect(await behaviour.json()).toMatchObject({ payouts: 'normal' });
  await otherBank.stop();
});
