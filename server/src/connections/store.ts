import { type CheckStep, type ConnectionState, type DebitAccount, debitAccount } from '@jangada/contract';
import type { Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx, TxOrDb } from '../db/transaction.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { countBroken } from './health-store.ts';

export type ConnectionRow = Selectable<DB['bank_connections']>;

type NewConnectionRow = Pick<
  ConnectionRow,
  | 'merchant_id'
  | 'bank'
  | 'name'
  | 'pix_key'
  | 'client_id_start'
  | 'certificate_holder'
  | 'certificate_fingerprint'
  | 'certificate_expires_at'
> &
  Partial<DebitAccountColumns>;

/** Inserts a draft after the merchant's other accounts. Its credentials are sealed once its number is known. */
export async function insertConnection({ db, now }: Tx, row: NewConnectionRow): Promise<ConnectionRow> {
  return await db
    .insertInto('bank_connections')
    .values({
      ...row,
      state: 'draft',
      position: sql<number>`(
        select coalesce(max(position), 0) + 1 from bank_connections where merchant_id = ${row.merchant_id}
      )`,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many retired accounts of a merchant are listed. */
const maxRetired = 50;

/** The accounts of a merchant in the order in which they receive; then those that were retired, the newest of them. */
export async function selectConnections(db: Db | Tx['db'], merchantId: number): Promise<ConnectionRow[]> {
  const select = db.selectFrom('bank_connections').selectAll().where('merchant_id', '=', merchantId);
  const inUse = await select.where('state', '<>', 'retired').orderBy('position').orderBy('id').execute();
  const retired = await select
    .where('state', '=', 'retired')
    // A draft that was removed was never in use, and nothing refers to it.
    .where('retiring_since', 'is not', null)
    .orderBy('id', 'desc')
    .limit(maxRetired)
    .execute();
  return [...inUse, ...retired.toReversed()];
}

export async function selectConnection(db: Db | Tx['db'], id: number): Promise<ConnectionRow | undefined> {
  return await db.selectFrom('bank_connections').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks an account until the transaction ends. */
export async function lockConnection({ db }: Tx, id: number): Promise<ConnectionRow | undefined> {
  return await db
    .selectFrom('bank_connections')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Locks a merchant and all their accounts: two calls neither exceed the number of accounts nor mix their order, and none
 * overwrites what an administrator or a check has just changed.
 */
export async function lockConnections(tx: Tx, merchantId: number): Promise<ConnectionRow[]> {
  await lockMerchant(tx, merchantId);
  await sql`
    select from bank_connections where merchant_id = ${merchantId} order by id for no key update
  `.execute(tx.db);
  return await selectConnections(tx.db, merchantId);
}

export type ConnectionChange = Omit<
  Updateable<DB['bank_connections']>,
  'id' | 'merchant_id' | 'bank' | 'created_at' | 'updated_at' | 'state' | 'check_steps'
> & { readonly state?: ConnectionState };

/** Changes an account. Every process reads the change a moment later (`load-banks.ts`). */
export async function updateConnection(
  { db, now }: Tx,
  id: number,
  change: ConnectionChange,
): Promise<ConnectionRow> {
  return await db
    .updateTable('bank_connections')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

type DebitAccountColumns = Pick<
  ConnectionRow,
  'debit_account_type' | 'debit_account_branch' | 'debit_account_number'
>;

/** The account into which debits by mandate are paid, as its columns. */
export function debitAccountColumns({ type, branch, number }: DebitAccount): DebitAccountColumns {
  return { debit_account_type: type, debit_account_branch: branch ?? null, debit_account_number: number };
}

/** Null if nobody entered it. */
export function debitAccountOf(row: DebitAccountColumns): DebitAccount | null {
  const { debit_account_type: type, debit_account_branch: branch, debit_account_number: number } = row;
  if (type === null || number === null) return null;
  return debitAccount.parse({ type, number, ...(branch !== null && { branch }) });
}

/** The end of an account: nothing of its credentials is left. */
export const RETIRED = {
  state: 'retired',
  suspended_by: null,
  suspended_reason: null,
  sealed_key: null,
  sealed_credentials: null,
  new_sealed_credentials: null,
  client_id_start: null,
  debit_account_type: null,
  debit_account_branch: null,
  debit_account_number: null,
  broken_since: null,
  broken_reason: null,
  is_broken_told: false,
  recurring_refused: null,
} as const satisfies ConnectionChange;

/** The columns that a process needs to speak for an account at a bank. */
export type LoadableRow = Pick<
  ConnectionRow,
  | 'id'
  | 'merchant_id'
  | 'bank'
  | 'pix_key'
  | 'state'
  | 'sealed_key'
  | 'sealed_credentials'
  | 'api_url'
  | 'token_url'
  | 'debit_account_type'
  | 'debit_account_branch'
  | 'debit_account_number'
  | 'updated_at'
>;

/**
 * The accounts that have been in use at some time, and that changed at this time or later. Left out are those that are
 * known as they are (`known`: when each changed last, by id).
 */
export async function selectChangedSince(
  db: Db,
  since: Date | undefined,
  known: ReadonlyMap<number, Date>,
): Promise<LoadableRow[]> {
  const recent = [...known].filter(([, changedAt]) => since !== undefined && changedAt >= since);
  const ids = recent.map(([id]) => id);
  const times = recent.map(([, changedAt]) => changedAt);
  return await db
    .selectFrom('bank_connections')
    .select([
      'id',
      'merchant_id',
      'bank',
      'pix_key',
      'state',
      'sealed_key',
      'sealed_credentials',
      'api_url',
      'token_url',
      'debit_account_type',
      'debit_account_branch',
      'debit_account_number',
      'updated_at',
    ])
    .where('state', '<>', 'draft')
    .$if(since !== undefined, (query) => query.where('updated_at', '>=', since as Date))
    .where(
      sql<boolean>`not exists (
        select from unnest(${ids}::integer[], ${times}::timestamptz[]) known (id, changed_at)
        where known.id = bank_connections.id and known.changed_at = bank_connections.updated_at)`,
    )
    .execute();
}

/** How long a check may take before another process may take it over. No check takes longer. */
export const CHECK_LEASE_MS = 180_000;

/** Whether the check of an account waits or runs. */
export function isCheckRunning(
  { check_started_at, check_ended_at }: Pick<ConnectionRow, 'check_started_at' | 'check_ended_at'>,
  now: Date,
): boolean {
  return (
    check_started_at !== null &&
    check_ended_at === null &&
    now.getTime() - check_started_at.getTime() < CHECK_LEASE_MS
  );
}

/** Asks for a check, which a process with background work then makes. */
export const requestedCheck = (now: Date) =>
  ({ check_started_at: now, check_ended_at: null, check_passed: null, is_check_claimed: false }) as const;

/** How long a check takes at most. */
const maxCheckMs = 60_000;
/** How many checks of one merchant are made at the same time, so that those of others find room. */
const maxChecksPerMerchant = 3;

/**
 * Claims checks that were asked for, or that a process left unfinished when it died. The new `check_started_at`
 * identifies the claim: what a process writes that lost it changes nothing.
 */
export async function claimChecks({ db, now }: TxOrDb, limit: number): Promise<ConnectionRow[]> {
  const staleSince = new Date(now.getTime() - CHECK_LEASE_MS);
  const runningSince = new Date(now.getTime() - maxCheckMs);
  // The check of a draft that was given up meanwhile counts as well: it occupies its place as long as it runs.
  const isMerchantsTurn = sql<boolean>`(
    select count(*) from bank_connections before
    where before.merchant_id = bank_connections.merchant_id and before.id <> bank_connections.id
      and before.check_started_at is not null and before.check_ended_at is null
      and case when before.is_check_claimed and before.check_started_at >= ${staleSince}
            then before.check_started_at > ${runningSince}
            else before.state <> 'retired'
              and (before.check_started_at, before.id) < (bank_connections.check_started_at, bank_connections.id)
          end
  ) < ${maxChecksPerMerchant}`;
  return await db
    .updateTable('bank_connections')
    .set({ is_check_claimed: true, check_started_at: now, check_steps: '[]' })
    .where('id', 'in', (query) =>
      query
        .selectFrom('bank_connections')
        .select('id')
        .where('check_started_at', 'is not', null)
        .where('check_ended_at', 'is', null)
        // A draft that was given up has nothing left to check with, and the database refuses to change it.
        .where('state', '<>', 'retired')
        .where((or) => or.or([or('is_check_claimed', '=', false), or('check_started_at', '<', staleSince)]))
        .where(isMerchantsTurn)
        .orderBy('check_started_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Stores how far a claimed check has come. Returns false if another process took it over, or the account was retired. */
export async function storeCheckSteps(
  { db }: { readonly db: Db | Tx['db'] },
  { id, check_started_at }: Pick<ConnectionRow, 'id' | 'check_started_at'>,
  steps: readonly CheckStep[],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bank_connections')
    .set({ check_steps: JSON.stringify(steps) })
    .where('id', '=', id)
    .where('check_started_at', '=', check_started_at)
    .where('check_ended_at', 'is', null)
    .where('state', '<>', 'retired')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type OperatorConnectionRow = ConnectionRow & {
  readonly merchant_name: string;
  readonly merchant_username: string;
};

type OperatorQuery = {
  readonly state: string | undefined;
  readonly isBroken: boolean;
  /** Words of the merchant's search text, or a Pix key. */
  readonly search: string | undefined;
  readonly id?: number;
  readonly limit: number;
  readonly offset: number;
};

/** The accounts of all merchants, those that are broken first. */
export async function selectForOperator(
  db: Db,
  { state, isBroken, search, id, limit, offset }: OperatorQuery,
): Promise<{ rows: OperatorConnectionRow[]; total: number; broken: number }> {
  const matching = db
    .selectFrom('bank_connections')
    .innerJoin('users', 'users.id', 'bank_connections.merchant_id')
    .$if(id !== undefined, (query) => query.where('bank_connections.id', '=', id as number))
    .$if(state !== undefined, (query) => query.where('bank_connections.state', '=', state as string))
    .$if(isBroken, (query) => query.where('bank_connections.broken_since', 'is not', null))
    .$if(search !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('bank_connections.pix_key', '=', search as string),
          where(sql<boolean>`strpos(users.search_text, ${search})`, '>', sql<boolean>`0`),
        ]),
      ),
    );
  const [rows, counts] = await Promise.all([
    matching
      .selectAll('bank_connections')
      .select(['users.name as merchant_name', 'users.username as merchant_username'])
      .orderBy(sql`bank_connections.broken_since is null`)
      .orderBy('bank_connections.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    matching.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counts.total, broken: await countBroken({ db }) };
}
