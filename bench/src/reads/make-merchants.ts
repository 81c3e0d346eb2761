import { randomBytes } from 'node:crypto';
import { encodeDynamicBrCode } from '@jangada/pix';
import { sql } from 'kysely';
import { machineClock } from '../../../server/src/clock.ts';
import { readConfig } from '../../../server/src/config.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { openDatabase } from '../../../server/src/db/open-database.ts';
import { createDb, createPool, type Db } from '../../../server/src/db/pool.ts';
import { inTransaction, type Tx } from '../../../server/src/db/transaction.ts';
import { createAccount, hashPassword } from '../../../server/src/identity/index.ts';
import { computeFeeAndReserve } from '../../../server/src/payments/payment.ts';
import { bigMerchant, type MerchantSizes, password, smallMerchant } from './payments-database.ts';

/** The fee of a payment in hundredths of a percent: 0.99 %. */
const inRate = 99;
const priceCount = 2000;
/** Payments are spread over two years. */
const periodMs = 2 * 365 * 86_400_000;

/**
 * Creates a database of the product with the merchants whose payments are loaded later. The schema `bench`
 * stores for each merchant the number of payments and when they begin, and a list of prices. Does nothing if
 * this step was done before.
 * @throws if the folder holds an unfinished build of another size
 */
export async function makeMerchants(folder: string, sizes: MerchantSizes): Promise<void> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder }));
  const { ownerUrl, appRole } = database;
  await migrate(appRole === undefined ? { ownerUrl } : { ownerUrl, appRole });
  const db = createDb(createPool({ url: ownerUrl, max: 1 }));
  try {
    const startedSize = await sizeOfStartedBuild(db);
    if (startedSize !== undefined && startedSize !== sizes.big)
      throw new Error(
        `${folder} holds the beginning of a build of ${startedSize} payments: go on with it, or remove it.`,
      );
    if (startedSize === undefined) await insertMerchants(db, sizes);
  } finally {
    await db.destroy();
    await database.close();
  }
}

/**
 * Returns the big merchant's number of payments in a build that was started before; undefined if there was no such
 * build.
 */
async function sizeOfStartedBuild(db: Db): Promise<number | undefined> {
  const { rows: tables } = await sql<{
    exists: boolean;
  }>`select to_regclass('bench.merchants') is not null as exists`.execute(db);
  if (tables[0]?.exists !== true) return undefined;
  const { rows } = await sql<{
    payments: number;
  }>`select max(payments) as payments from bench.merchants`.execute(db);
  return rows[0]?.payments;
}

async function insertMerchants(db: Db, { big, small, others }: MerchantSizes): Promise<void> {
  const passwordHash = await hashPassword(password);
  await inTransaction({ db, clock: machineClock }, async (tx) => {
    await sql`create schema bench`.execute(tx.db);
    await insertPrices(tx);
    await sql`create table bench.merchants (
      merchant_id bigint primary key, prefix text, payments bigint, begins_at timestamptz, step_ms bigint)`.execute(
      tx.db,
    );
    for (const [serial, count] of [big, small, ...others].entries()) {
      const id = await createAccount(tx, profileOf(serial, passwordHash));
      const beginsAt = new Date(tx.now.getTime() - periodMs - 3_600_000);
      await sql`insert into bench.merchants values (
        ${id}, ${id.toString(36).padStart(8, '0')}, ${count}, ${beginsAt}, ${Math.floor(periodMs / count)})`.execute(
        tx.db,
      );
    }
  });
}

function profileOf(serial: number, passwordHash: string) {
  const username = [bigMerchant, smallMerchant][serial] ?? `loja-${serial}`;
  return {
    username,
    name: `Loja ${serial} do Banco de Provas`,
    email: `${username}@example.com`,
    document: String(10_000_000_000 + serial),
    docType: 'CPF' as const,
    passwordHash,
    approved: true,
    inRate,
  };
}

/** Inserts the prices, each with its fee and the BR Code of its amount. Many payments have the same price. */
async function insertPrices(tx: Tx): Promise<void> {
  await sql`create table bench.prices (price integer primary key, amount_cents bigint, fee_cents bigint, br_code text)`.execute(
    tx.db,
  );
  const terms = { inRate, fixInCents: 0, reserveRate: 0, reserveDays: 0 };
  for (let price = 0; price < priceCount; price += 1) {
    const amountCents = 990 + ((price * 7919) % 50_000);
    const { feeCents } = computeFeeAndReserve(amountCents, terms);
    const url = `localhost:3001/qr/v2/${randomBytes(16).toString('hex')}`;
    const brCode = encodeDynamicBrCode({
      url,
      merchantName: 'Banco Sandbox',
      merchantCity: 'RECIFE',
      amountCents,
    });
    await sql`insert into bench.prices values (${price}, ${amountCents}, ${feeCents}, ${brCode})`.execute(
      tx.db,
    );
  }
}
