import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APP_ROLE, createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { migrate } from '../db/migrate.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { type AccountKind, chartOfAccounts } from './chart-of-accounts.ts';
import { auditLedger, movements, post, readAvailable, readBalances } from './index.ts';

let database: TestDatabase;
let db: Db;
let owner: pg.Client;
const deps = () => ({ db, clock: machineClock });
const postAll = (...entries: Parameters<typeof post>[1][]) =>
  inTransaction(deps(), (tx) => post(tx, entries.flat()));

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});

afterAll(async () => {
  await db.destroy();
  await owner.end();
  await database.drop();
});

/** Runs SQL as the gateway's role. */
async function runAsApp(work: (app: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** Grants a role the right to create temporary tables. */
function allowTemporaryTables(role: string) {
  const name = owner.escapeIdentifier(owner.database ?? '');
  return owner.query(`grant temporary on database ${name} to ${role}`);
}

type CallableFunction = {
  readonly name: string;
  readonly schema: string;
  readonly hasOwnersRights: boolean;
  readonly types: readonly string[];
};

/** Arguments of these types, in all mixtures of what is right and what is wrong; most often one value in each list. */
function argumentsOf(types: readonly string[], merchantId: number): fc.Arbitrary<unknown[]> {
  const withLists = (list: (item: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>) => {
    const byType: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      // Mostly 0, so that about twenty in a thousand calls of `post` are balanced and write an entry.
      'bigint[]': list(fc.constantFrom(...Array(14).fill(0), 5, 5, -5, -5, merchantId, 9_999_999)),
      'integer[]': list(fc.constantFrom(1, 1, 1, 2)),
      integer: fc.constantFrom(1, 2),
      'text[]': list(fc.constantFrom('payment received', 'E-1', 'E-1', 'credited')),
      'uuid[]': list(fc.constantFrom(null, '00000000-0000-4000-8000-000000000000')),
      'timestamp with time zone[]': list(fc.constant(new Date())),
      'timestamp with time zone': fc.constant(new Date()),
      boolean: fc.boolean(),
    };
    return fc.tuple(...types.map((type) => byType[type] ?? fc.constant(null)));
  };
  const one = withLists((item) => fc.tuple(item));
  return fc.oneof(
    { arbitrary: one, weight: 8 },
    withLists((item) => fc.oneof(fc.constant(null), fc.array(fc.option(item), { maxLength: 2 }))),
  );
}

const atHouse = (merchantId: number) => ({ merchantId, connectionId: HOUSE_CONNECTION });

describe('the books', () => {
  test('a payment credits available, fees and reserved, and all balances add up to zero', async () => {
    const merchantId = await insertMerchant(db);
    await postAll(
      movements.paymentReceived({
        merchantId,
        reference: 'E-a',
        amountCents: 10_000,
        feeCents: 99,
        reserveCents: 990,
      }),
    );
    const balances = await readBalances(db, merchantId);
    expect(balances).toMatchObject({ available: 8911, fees: 99, reserved: 990, psp: -10_000 });
    expect(Object.values(balances).reduce((sum, balance) => sum + balance, 0)).toBe(0);
  });

  test('an event is booked once per reference', async () => {
    const merchantId = await insertMerchant(db);
    const payment = movements.paymentReceived({
      merchantId,
      reference: 'E-once',
      amountCents: 500,
      feeCents: 0,
      reserveCents: 0,
    });
    await postAll(payment);
    await expect(postAll(payment)).rejects.toThrow(/ledger_event_once/);
    expect(await readAvailable(db, merchantId)).toBe(500);
  });

  test('a transaction is rolled back entirely if one account would fall below its floor', async () => {
    const [rich, poor] = [await insertMerchant(db), await insertMerchant(db)];
    await expect(
      postAll(
        movements.paymentReceived({
          merchantId: rich,
          reference: 'E-r',
          amountCents: 900,
          feeCents: 0,
          reserveCents: 0,
        }),
        movements.withdrawalRequested({ merchantId: poor, reference: 'w-1', amountCents: 1 }),
      ),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(await readAvailable(db, rich)).toBe(0);
  });

  test('every account of the chart has a balance that follows its entries and stays above its floor', async () => {
    const kinds = Object.keys(chartOfAccounts).filter((kind): kind is AccountKind => kind in chartOfAccounts);
    const move = (merchantId: number, from: AccountKind, to: AccountKind, reference: string) =>
      postAll([{ ...atHouse(merchantId), event: 'topped up', reference, changes: { [from]: -7, [to]: 7 } }]);
    for (const kind of kinds) {
      const other = kind === 'psp' ? 'fees' : 'psp';
      const merchantId = await insertMerchant(db);
      const debit = move(merchantId, kind, other, 'below');
      if (chartOfAccounts[kind].mayGoBelowZero) await debit;
      else await expect(debit, kind).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
      const before = await readBalances(db, merchantId);
      await move(merchantId, other, kind, 'above');
      expect(await readBalances(db, merchantId), kind).toEqual({
        ...before,
        [kind]: before[kind] + 7,
        [other]: before[other] - 7,
      });
      await move(merchantId, kind, other, 'back');
      expect(await readBalances(db, merchantId), kind).toEqual(before);
    }
    const { rows } = await owner.query<{ column_name: string }>(
      "select column_name from information_schema.columns where table_name = 'ledger_balances'",
    );
    expect(rows.map((row) => row.column_name).sort()).toEqual(
      ['merchant_id', 'connection_id', 'shortfall_cents', ...kinds.map((kind) => `${kind}_cents`)].sort(),
    );
  });

  test('an entry that does not add up, moves nothing, or names an unknown merchant is refused', async () => {
    const merchantId = await insertMerchant(db);
    const postWith = (merchant: number, pspCents: number, feesCents: number) =>
      postAll(
        [{ ...atHouse(merchantId), event: 'topped up', reference: 'known', changes: { psp: -5, fees: 5 } }],
        [
          {
            ...atHouse(merchant),
            event: 'topped up',
            reference: 'stranger',
            changes: { psp: pspCents, fees: feesCents },
          },
        ],
      );
    await expect(postWith(merchantId, -5, 4)).rejects.toThrow(/ledger_entry_balanced/);
    await expect(postWith(merchantId, 0, 0)).rejects.toThrow(/ledger_entry_moves/);
    await expect(postWith(9_999_999, -5, 5)).rejects.toThrow(/names an account that does not exist/);
    expect(await readBalances(db, merchantId)).toMatchObject({ psp: 0, fees: 0 });
  });

  test('an entry without a time, an event, a cause or a change of each account is refused', async () => {
    const merchantId = await insertMerchant(db);
    const lists = {
      merchants: `array[${merchantId}, ${merchantId}]`,
      connections: 'array[1, 1]',
      event_names: "array['topped up', 'topped up']",
      entry_references: "array['first', 'second']",
      ...Object.fromEntries(Object.keys(chartOfAccounts).map((kind) => [kind, 'array[0, 0]'])),
      psp: 'array[-5, -5]',
      fees: 'array[5, 5]',
      merchants_to_check: "'{}'",
    };
    const call = (change: Record<string, string>) =>
      `select post(${Object.entries({ posted_at: 'now()', ...lists, ...change })
        .map(([name, value]) => `${name} => ${value}`)
        .join(', ')})`;
    await runAsApp(async (app) => {
      for (const [name, value] of Object.entries(lists)) {
        if (name === 'merchants_to_check') continue;
        const shorter = value.replace(/, [^,]+\]$/, ']');
        const statement = call({ [name]: shorter });
        await expect(app.query(statement), statement).rejects.toThrow(/violates not-null constraint/);
        await expect(app.query(call({ [name]: 'null' })), name).rejects.toThrow(/violates not-null/);
      }
      await expect(app.query(call({ posted_at: 'null' }))).rejects.toThrow(/violates not-null constraint/);
      expect(await readBalances(db, merchantId)).toMatchObject({ psp: 0, fees: 0 });
      await app.query(call({}));
    });
    expect(await readBalances(db, merchantId)).toMatchObject({ psp: -10, fees: 10 });
  });

  test('the application can neither write, change nor delete an entry, a balance or a figure by itself', async () => {
    const merchantId = await insertMerchant(db);
    await postAll(
      movements.paymentReceived({
        merchantId,
        reference: 'E-x',
        amountCents: 700,
        feeCents: 0,
        reserveCents: 0,
      }),
    );
    const keptTables = {
      ledger_entries: 'event',
      ledger_balances: 'available_cents',
      ledger_days: 'available_change_cents',
      merchant_counters: 'paid_count',
      merchant_days: 'received_cents',
      charge_runs: 'charges',
      open_charges: 'next_check_at',
      ended_charges: 'status',
      unposted_pix: 'end_to_end_id',
    };
    const statements = [
      ...Object.entries(keptTables).flatMap(([table, column]) => [
        `insert into ${table} default values`,
        `update ${table} set ${column} = null`,
        `delete from ${table}`,
        `truncate ${table}`,
        `select from ${table} for update`,
        `alter table ${table} disable trigger all`,
      ]),
      'delete from audit_log',
      'insert into received_pix default values',
      ...['refunds', 'withdrawals', 'withdrawal_returns', 'kyc_submissions'].map(
        (table) => `delete from ${table}`,
      ),
      'update withdrawal_returns set amount_cents = 1',
    ];
    await runAsApp(async (app) => {
      for (const statement of statements)
        await expect(app.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    });
  });

  test('the application cannot create tables, and the start revokes that right if everybody has it', async () => {
    await runAsApp(async (app) => {
      const createTable = 'create temp table ledger_balances (like public.ledger_balances)';
      await expect(app.query(createTable)).rejects.toThrow(/permission denied/);
      await allowTemporaryTables('public');
      await app.query(`begin; ${createTable}; rollback`);
      await migrate({ ownerUrl: database.ownerUrl, appRole: { name: APP_ROLE } });
      await expect(app.query(createTable)).rejects.toThrow(/permission denied/);
    });
  });

  test('a temporary table lets the application neither divert an entry from its balance nor trigger a function', async () => {
    const merchantId = await insertMerchant(db);
    await allowTemporaryTables(APP_ROLE);
    await runAsApp(async (app) => {
      await app.query('create temp table ledger_balances (like public.ledger_balances)');
      await app.query('create temp table ledger_entries (like public.ledger_entries)');
      await app.query(
        `select post(now(), array[$1::bigint], '{1}', '{topped up}', '{diverted}', '{0}', '{0}', '{0}', '{0}', '{0}', '{0}',
                     '{-500}', '{500}', '{0}', '{0}', '{}')`,
        [merchantId],
      );
      await app.query('create temp table forged (like public.ledger_entries)');
      const { rows: triggerFunctions } = await owner.query<{ name: string }>(
        `select proname as name from pg_proc
         where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype`,
      );
      expect(triggerFunctions.map(({ name }) => name)).toContain('count_changed_charges');
      for (const { name } of triggerFunctions)
        for (const when of ['for each statement', 'for each row'])
          await expect(
            app.query(
              `create trigger forge after insert on forged ${when} execute function public.${name}()`,
            ),
            name,
          ).rejects.toThrow(/permission denied for function/);
    });
    expect(await readBalances(db, merchantId)).toMatchObject({ available: 0, fees: 500, psp: -500 });
    await owner.query(
      `revoke temporary on database ${owner.escapeIdentifier(owner.database ?? '')} from ${APP_ROLE}`,
    );
  });

  test('whatever function the application calls, with whatever arguments, the books stay whole', async () => {
    const merchantId = await insertMerchant(db);
    await runAsApp(async (app) => {
      const { rows: callable } = await app.query<CallableFunction>(
        `select format('%I.%I', nspname, proname) as name, nspname as schema, prosecdef as "hasOwnersRights",
                array(select format_type(type, null) from unnest(proargtypes::oid[]) type) as types
         from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
         where nspname not in ('pg_catalog', 'information_schema')
         and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
           and has_schema_privilege(pronamespace, 'usage') and has_function_privilege(pg_proc.oid, 'execute')`,
      );
      const asOwner = ['hold_own_pix', 'lock_balances', 'lock_merchant_counters', 'post', 'settle'];
      const asCaller = [
        'detect_server_change',
        'server_identity',
        'untried_deliveries',
        'write_events',
        'write_messages',
        'write_notifications',
      ];
      const named = (names: readonly string[]) => names.map((name) => `public.${name}`).sort();
      expect(callable.flatMap((one) => (one.hasOwnersRights ? [one.name] : [])).sort()).toEqual(
        named(asOwner),
      );
      expect(callable.flatMap((one) => (one.schema === 'public' ? [one.name] : [])).sort()).toEqual(
        named([...asOwner, ...asCaller]),
      );
      const readAllBalances = () =>
        owner.query('select * from ledger_balances order by 1').then(({ rows }) => JSON.stringify(rows));
      const before = await readAllBalances();
      for (const { name, types } of callable)
        await app.query(`select ${name}(${types.map((type) => `null::${type}`)})`).catch(() => undefined);
      expect(await readAllBalances()).toBe(before);

      const countEntries = async () =>
        (await owner.query<{ count: number }>('select count(*)::int from ledger_entries')).rows[0]?.count ??
        0;
      const entriesBefore = await countEntries();
      for (const { name, types } of callable.filter(({ hasOwnersRights }) => hasOwnersRights))
        for (const values of fc.sample(argumentsOf(types, merchantId), 1000)) {
          const call = `select ${name}(${types.map((type, index) => `$${index + 1}::${type}`)})`;
          await app.query({ name, text: call, values: [...values] }).catch(() => undefined);
        }
      expect(await countEntries()).toBeGreaterThan(entriesBefore);
    });
    // Whoever may post can also post what nothing caused; the audit names it (see below).
    const ofBalances = (await auditLedger(db)).filter(({ check }) =>
      /^(a balance is|all balances|no account is|a day is)/.test(check),
    );
    expect(ofBalances).toEqual([]);
  });

  test('a later function is callable only by its owner', async () => {
    await owner.query('create function made_later() returns integer language sql as $$ select 1 $$');
    await runAsApp(async (app) => {
      await expect(app.query('select made_later()')).rejects.toThrow(/permission denied for function/);
    });
    await owner.query('drop function made_later()');
  });

  test('even the owner cannot change or delete an entry', async () => {
    for (const statement of [
      'update ledger_entries set event = null',
      'delete from ledger_entries',
      'truncate ledger_entries',
    ]) {
      await expect(owner.query(statement), statement).rejects.toThrow(/append only/);
    }
  });

  test('the audit reports nothing in correct books, and each planted difference', async () => {
    const merchantId = await insertMerchant(db);
    await postAll(
      movements.paymentReceived({
        merchantId,
        reference: 'E-plant',
        amountCents: 700,
        feeCents: 7,
        reserveCents: 0,
      }),
    );
    const before = await auditLedger(db);
    const plant = () =>
      owner.query('update ledger_balances set available_cents = available_cents + 5 where merchant_id = $1', [
        merchantId,
      ]);
    await expect(plant()).rejects.toThrow(/ledger_balanced/);
    await owner.query('alter table ledger_balances drop constraint ledger_balanced');
    await plant();
    await owner.query('update merchant_counters set paid_count = 3 where merchant_id = $1', [merchantId]);
    await owner.query('update ledger_days set available_change_cents = 1 where merchant_id = $1', [
      merchantId,
    ]);
    await owner.query(
      `insert into bank_movements (id, kind, amount_cents, happened_at, recorded_at, recorded_by)
       values (gen_random_uuid(), 'tariff', 123, now(), now(), 1)`,
    );
    const newDiscrepancies = (await auditLedger(db)).filter(
      (difference) => !before.some((earlier) => JSON.stringify(earlier) === JSON.stringify(difference)),
    );
    const [unposted, ...others] = newDiscrepancies.filter(({ check }) => check.includes('beside Pix'));
    expect(unposted?.detail).toMatch(/: recorded 123, posted 0$/);
    expect(others).toEqual([]);
    const planted = newDiscrepancies.filter((difference) => difference !== unposted);
    expect(planted.map(({ check }) => check).sort()).toEqual([
      'a balance is the sum of its entries',
      'a counter is what the charges say',
      'a day is the sum of its entries',
      'all balances of a merchant at an account add up to zero',
    ]);
    expect(planted.every((difference) => difference.merchantId === merchantId)).toBe(true);
    expect(planted[0]?.detail).toBe('available at account 1: balance 698, entries 693');
  });

  test('the audit reports entries by the application without a cause, or unlike any movement', async () => {
    const merchantId = await insertMerchant(db);
    const before = await auditLedger(db);
    const forge = (event: string, reference: string, from: AccountKind, to: AccountKind) =>
      postAll([{ ...atHouse(merchantId), event, reference, changes: { [from]: -100, [to]: 100 } }]);
    const { id } = await db
      .insertInto('audit_log')
      .values({
        at: new Date(),
        actor_id: 1,
        action: 'balance adjusted',
        subject_id: merchantId,
        before: JSON.stringify({ balance_cents: 0 }),
        after: JSON.stringify({ balance_cents: 70 }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await forge('balance adjusted', '0', 'adjustments', 'available');
    await forge('balance adjusted', String(id), 'adjustments', 'available');
    await forge('gift', 'nobody', 'adjustments', 'available');
    await forge('topped up', 'nobody', 'psp', 'available');
    await forge('unmatched assigned', 'E-nobody', 'psp', 'available');
    const earlier = new Set(before.map((difference) => JSON.stringify(difference)));
    const planted = (await auditLedger(db)).filter((difference) => !earlier.has(JSON.stringify(difference)));
    expect(planted.map(({ check, detail }) => `${check}: ${detail}`).sort()).toEqual([
      'a payment is split by the terms of its charge: E-nobody: net 100, fee 0, reserve 0 of 0',
      'an adjustment is what its entry in the audit log says: entry 0: 0, posted 100',
      `an adjustment is what its entry in the audit log says: entry ${id}: 70, posted 100`,
      'every entry is one that a movement makes: gift nobody: adjustments -100',
      'every entry is one that a movement makes: gift nobody: available 100',
      'every entry is one that a movement makes: topped up nobody: available 100',
      'what moved at the bank beside Pix is posted once, in full: nobody: recorded 0, posted 100',
    ]);
  });
});
