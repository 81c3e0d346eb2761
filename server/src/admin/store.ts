import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { selectAccounts } from '../identity/index.ts';
import type { EditableAccount } from './account-change.ts';

export type LockedAccount = EditableAccount & {
  id: number;
  version: number;
  admin_root: number | null;
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
      'doc_type',
      'version',
      'admin_root',
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
  changes: Partial<EditableAccount> & { search_text: string; admin_root?: number | null },
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

/**
 * What all who go back to `root` by promotions have adjusted on the day of `now` in America/Sao_Paulo, up and down
 * alike, in cents; whoever administers no more counts too.
 */
export async function sumAdjustments(db: Db, root: number, now: Date): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(abs((after->>'balance_cents')::bigint - (before->>'balance_cents')::bigint)), 0)::bigint
             as cents
    from audit_log join users actor on actor.id = actor_id
    where coalesce(actor.admin_root, actor.id) = ${root} and action = 'balance adjusted'
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
    'users.closing_reason',
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

/** What is looked for. */
export type AccountSearch = {
  /** Folded. All of them occur; those of one or two letters at the beginning of a word. */
  readonly words: readonly string[];
  /** In names and usernames only, rather than in e-mails and documents too. */
  readonly inNames: boolean;
  /** Only accounts whose end was asked for and waits: freezing an account ends it. */
  readonly closing: boolean;
};

/** Whoever asked first for the end of their account waits longest; else the newest account is first. */
function orderOf({ closing }: AccountSearch) {
  return closing ? sql`users.closing_requested_at, users.id` : sql`users.created_at desc, users.id desc`;
}

/** Only what is shown is read whole. */
export function findAccounts(
  db: Db,
  search: AccountSearch,
  page: { limit: number; offset: number },
): Promise<AdminAccountRow[]> {
  const shown = db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '>', 0)
    .where(matches(search))
    .orderBy(orderOf(search))
    .limit(page.limit)
    .offset(page.offset);
  return selectAdminAccounts(db).where('users.id', 'in', shown).orderBy(orderOf(search)).execute();
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

/** The account with this e-mail, or this document, as a whole. */
export function findByExactEmailOrDocument(
  db: Db,
  { email, document }: { email: string; document: string },
): Promise<AdminAccountRow[]> {
  return selectAdminAccounts(db)
    .where('users.id', '>', 0)
    .where(({ or, eb }) => or([eb(sql`lower(users.email)`, '=', email), eb('users.document', '=', document)]))
    .execute();
}

/** Folded texts begin with name and username, and the e-mail follows (`searchText` in identity). */
const names = sql<string>`left(users.search_text, strpos(users.search_text, ' ' || users.email || ' '))`;

function matches({ words, inNames, closing }: AccountSearch) {
  return ({ and, or, eb }: ExpressionBuilder<DB, 'users'>) =>
    and([
      ...(closing
        ? [eb('users.closing_requested_at', 'is not', null), eb('users.frozen_at', 'is', null)]
        : []),
      ...words.flatMap((word) => {
        const occurs = patterns(word);
        const anywhere = or(occurs.map((pattern) => eb('users.search_text', 'like', pattern)));
        return inNames ? [anywhere, or(occurs.map((pattern) => eb(names, 'like', pattern)))] : [anywhere];
      }),
    ]);
}

/** Of less than three letters the index of trigrams knows beginnings of words only. */
function patterns(word: string): string[] {
  const escaped = word.replace(/[\\%_]/g, '\\$&');
  return word.length < 3 ? [`${escaped}%`, `% ${escaped}%`] : [`%${escaped}%`];
}

/**
 * Planned for what is looked for: one plan for every search would walk all accounts for a name that few have, or gather
 * all that have a common one.
 */
export function withFreshPlan<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
    return read(tx);
  });
}
