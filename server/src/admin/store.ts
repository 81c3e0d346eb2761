import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { selectAccounts } from '../identity/index.ts';
import type { Profile } from './account-change.ts';

export type LockedAccount = Profile & {
  id: number;
  username: string;
  document: string;
  version: number;
  frozen_at: Date | null;
  frozen_because: string | null;
};

/**
 * The account and every administrator, locked in one order: two changes of accounts wait for each other, so what
 * one of them counts on (who administers, what was adjusted today) is still true when it commits.
 */
export function lockAccountAndAdministrators(db: Db, id: number): Promise<LockedAccount[]> {
  return db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'document',
      'version',
      'frozen_at',
      'frozen_because',
      'name',
      'email',
      'role',
      'approved',
      'api_active',
      'api_held',
      'in_rate',
      'out_rate',
      'fix_in_cents',
      'fix_out_cents',
      'crypto_rate',
      'reserve_enabled',
      'reserve_rate',
      'reserve_days',
    ])
    .where((or) => or.or([or('id', '=', id), or('role', '=', sql.lit('ADMIN'))]))
    .where('id', '>', 0)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function updateProfile(
  db: Db,
  id: number,
  changes: Partial<Profile> & { search_text: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ ...changes, version: row('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute();
}

export async function updateFrozen(
  { db, now }: Tx,
  id: number,
  frozen: { frozen_at: Date | null; frozen_because: string | null },
): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ ...frozen, version: row('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute();
}

/** What one administrator has adjusted on the day of `now` in America/Sao_Paulo, up and down alike, in cents. */
export async function sumAdjustments(db: Db, actorId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(abs((after->>'balance_cents')::bigint - (before->>'balance_cents')::bigint)), 0)::bigint
             as cents
    from audit_log
    where actor_id = ${actorId} and action = 'balance adjusted'
      and at >= date_trunc('day', ${now}::timestamptz at time zone 'America/Sao_Paulo')
                at time zone 'America/Sao_Paulo'
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Accounts with what only the administration sees of them. */
function selectAdminAccounts(db: Db) {
  return selectAccounts(db).select(({ selectFrom, or, exists }) => [
    'users.frozen_at',
    'users.frozen_because',
    'users.closing_requested_at',
    selectFrom('kyc_submissions as sent')
      .select('sent.status')
      .whereRef('sent.merchant_id', '=', 'users.id')
      .orderBy('sent.submitted_at', 'desc')
      .limit(1)
      .as('kyc'),
    or([
      exists(
        selectFrom('totp_factors as app')
          .select('app.user_id')
          .whereRef('app.user_id', '=', 'users.id')
          .where('app.confirmed_at', 'is not', null),
      ),
      exists(selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id')),
    ])
      .$castTo<boolean>()
      .as('second_factor'),
  ]);
}

export type AdminAccountRow = Awaited<ReturnType<ReturnType<typeof selectAdminAccounts>['execute']>>[number];

export function readAdminAccount(db: Db, id: number): Promise<AdminAccountRow | undefined> {
  return selectAdminAccounts(db).where('users.id', '=', id).where('users.id', '>', 0).executeTakeFirst();
}

/** What is looked for, folded. */
export type AccountSearch = {
  /** All of them, each anywhere in a name, username, e-mail or document. */
  readonly words: readonly string[];
  /** Or the whole e-mail, or the whole document. Set: the words count in names and usernames only. */
  readonly whole: { readonly email: string; readonly document: string } | undefined;
};

/** Newest first. */
export function findAccounts(
  db: Db,
  search: AccountSearch,
  page: { limit: number; offset: number },
): Promise<AdminAccountRow[]> {
  return selectAdminAccounts(db)
    .where('users.id', '>', 0)
    .where(matches(search))
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** How many these are, counted to `atMost`. */
export async function countAccounts(db: Db, search: AccountSearch, atMost: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('users')
        .select('id')
        .where('users.id', '>', 0)
        .where(matches(search))
        .limit(atMost)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Folded texts begin with name and username, and the e-mail follows (`searchText` in identity). */
const namesOnly = sql<string>`left(users.search_text, strpos(users.search_text, ' ' || users.email || ' '))`;

function matches({ words, whole }: AccountSearch) {
  return ({ and, or, eb }: ExpressionBuilder<DB, 'users'>) => {
    const anywhere = and(words.map((word) => eb('users.search_text', 'like', pattern(word))));
    if (whole === undefined || words.length === 0) return anywhere;
    const inNames = and([anywhere, ...words.map((word) => eb(namesOnly, 'like', pattern(word)))]);
    return or([
      inNames,
      eb(sql`lower(users.email)`, '=', whole.email),
      eb('users.document', '=', whole.document),
    ]);
  };
}

function pattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
