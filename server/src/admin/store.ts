import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { selectAccounts } from '../identity/index.ts';
import type { Profile } from './account-change.ts';

export type LockedAccount = Profile & { id: number; username: string; document: string; version: number };

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

/** Accounts that carry all these words, folded, anywhere in what they are found by; newest first. */
export function findAccounts(
  db: Db,
  words: readonly string[],
  page: { limit: number; offset: number },
): Promise<AdminAccountRow[]> {
  return selectAdminAccounts(db)
    .where('users.id', '>', 0)
    .where((and) => and.and(words.map((word) => and('users.search_text', 'like', pattern(word)))))
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** How many these are, counted to `atMost`. */
export async function countAccounts(db: Db, words: readonly string[], atMost: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('users')
        .select('id')
        .where('id', '>', 0)
        .where((and) => and.and(words.map((word) => and('search_text', 'like', pattern(word)))))
        .limit(atMost)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function pattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
