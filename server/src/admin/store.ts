import type { MerchantKind } from '@jangada/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { retryOnConflict } from '../db/transaction.ts';
import { selectAccounts, withBalances } from '../identity/index.ts';
import type { EditableAccount } from './account-change.ts';

/**
 * An account whose row the transaction has locked. `admin_root`: the administrator with whom the chain of promotions
 * began that made this account an administrator; null if nobody ever promoted the account.
 */
export type LockedAccount = EditableAccount & {
  id: number;
  version: number;
  admin_root: number | null;
  frozen_at: Date | null;
  frozen_because: string | null;
};

/**
 * Locks the account and all administrators, in order of id. Edits of accounts thus run one after another, so that the
 * facts that an edit has read (who is an administrator, the sum adjusted today) still hold when the edit commits.
 */
export function lockAccountAndAdministrators(db: Db, id: number): Promise<LockedAccount[]> {
  return (
    db
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
      // The table's CHECK admits only these words.
      .select((eb) => eb.ref('merchant_kind').$castTo<MerchantKind>().as('merchant_kind'))
      .where((eb) => eb.or([eb('id', '=', id), eb('role', '=', sql.lit('ADMIN'))]))
      .where('id', '>', 0)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  );
}

/**
 * Sums the adjustments that all accounts with this promotion root (the administrator with whom their chain of
 * promotions began), former administrators included, made on the day of `now` in America/Sao_Paulo. Decreases count
 * like increases. In cents.
 */
export async function sumAdjustments(db: Db, promotionRoot: number, now: Date): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(abs((after->>'balance_cents')::bigint - (before->>'balance_cents')::bigint)), 0)::bigint
             as cents
    from audit_log join users actor on actor.id = actor_id
    where coalesce(actor.admin_root, actor.id) = ${promotionRoot} and action = 'balance adjusted'
      and at >= date_trunc('day', ${now}::timestamptz at time zone 'America/Sao_Paulo')
                at time zone 'America/Sao_Paulo'
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Accounts with the columns that only administrators see. */
function selectAdminAccounts(db: Db) {
  return selectAccounts(db)
    .leftJoin('members as holding', (join) =>
      join
        .onRef('holding.merchant_id', '=', 'users.id')
        .on('holding.holder', '=', true)
        .onRef('holding.user_id', '<>', 'holding.merchant_id'),
    )
    .leftJoin('users as new_holder', 'new_holder.id', 'holding.user_id')
    .select(['new_holder.id as held_by_id', 'new_holder.name as held_by_name', 'users.identity_review_since'])
    .select((eb) => [
      'users.frozen_at',
      'users.frozen_because',
      'users.closing_requested_at',
      'users.closing_reason',
      eb
        .selectFrom('kyc_submissions as sent')
        .select('sent.status')
        .whereRef('sent.merchant_id', '=', 'users.id')
        .orderBy('sent.submitted_at', 'desc')
        .limit(1)
        .as('kyc'),
      eb
        .or([
          eb.exists(
            eb
              .selectFrom('totp_factors as app')
              .select('app.user_id')
              .whereRef('app.user_id', '=', 'users.id')
              .where('app.confirmed_at', 'is not', null),
          ),
          eb.exists(
            eb.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'),
          ),
        ])
        .$castTo<boolean>()
        .as('second_factor'),
    ]);
}

export type AdminAccountRow = Awaited<ReturnType<ReturnType<typeof selectAdminAccounts>['execute']>>[number];

export async function readAdminAccount(db: Db, id: number): Promise<AdminAccountRow | undefined> {
  const rows = await selectAdminAccounts(db).where('users.id', '=', id).where('users.id', '>', 0).execute();
  return (await withBalances(db, rows))[0];
}

export type AccountSearch = {
  /**
   * Search words in lower case and without accents, all of which must occur. A search word of one or two letters must
   * occur at the beginning of a word.
   */
  readonly words: readonly string[];
  /** Whether only names and usernames are searched, not e-mails and documents. */
  readonly searchesNamesOnly: boolean;
  /**
   * Whether only accounts whose owner asked to close them are found. A frozen account is left out, because freezing
   * completes the request.
   */
  readonly closing: boolean;
};

/** Closing requests are listed oldest first, accounts newest first. */
function orderOf({ closing }: AccountSearch) {
  return closing ? sql`users.closing_requested_at, users.id` : sql`users.created_at desc, users.id desc`;
}

/**
 * Finds one page of accounts. Reads their ids first, so that the columns that need subqueries are computed only for the
 * page.
 */
export async function findAccounts(
  db: Db,
  search: AccountSearch,
  page: { limit: number; offset: number },
): Promise<AdminAccountRow[]> {
  const idsOnPage = db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '>', 0)
    .where(matchesSearch(search))
    .orderBy(orderOf(search))
    .limit(page.limit)
    .offset(page.offset);
  const rows = await selectAdminAccounts(db)
    .where('users.id', 'in', idsOnPage)
    .orderBy(orderOf(search))
    .execute();
  return withBalances(db, rows);
}

/** Counts the matching accounts, up to `atMost`. */
export async function countAccounts(db: Db, search: AccountSearch, atMost: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('users')
        .select('id')
        .where('users.id', '>', 0)
        .where(matchesSearch(search))
        .limit(atMost)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds the account with exactly this e-mail or document. */
export async function findByExactEmailOrDocument(
  db: Db,
  { email, document }: { email: string; document: string },
): Promise<AdminAccountRow[]> {
  const rows = await selectAdminAccounts(db)
    .where('users.id', '>', 0)
    .where(({ or, eb }) => or([eb(sql`lower(users.email)`, '=', email), eb('users.document', '=', document)]))
    .execute();
  return withBalances(db, rows);
}

/** The beginning of the search text, with name and username; the e-mail follows (`searchText` in identity). */
const namesText = sql<string>`left(users.search_text, strpos(users.search_text, ' ' || users.email || ' '))`;

function matchesSearch(search: AccountSearch) {
  return ({ and, or, eb }: ExpressionBuilder<DB, 'users'>) =>
    and([
      ...(search.closing
        ? [eb('users.closing_requested_at', 'is not', null), eb('users.frozen_at', 'is', null)]
        : []),
      ...search.words.flatMap((word) => {
        const likePatterns = likePatternsFor(word);
        const isInSearchText = or(likePatterns.map((pattern) => eb('users.search_text', 'like', pattern)));
        // The first condition can use the index; the second one excludes matches in e-mails and documents.
        return search.searchesNamesOnly
          ? [isInSearchText, or(likePatterns.map((pattern) => eb(namesText, 'like', pattern)))]
          : [isInSearchText];
      }),
    ]);
}

/**
 * The LIKE patterns of a word. The trigram index finds one or two letters only at the beginning of a word, so the
 * patterns of such a short word match only there.
 */
function likePatternsFor(word: string): string[] {
  const escaped = word.replace(/[\\%_]/g, '\\$&');
  return word.length < 3 ? [`${escaped}%`, `% ${escaped}%`] : [`%${escaped}%`];
}

/**
 * Runs `read` with a query plan made for the words of this search. A plan shared by all searches would scan all
 * accounts for a rare name, or collect every match of a common one.
 */
export function withCustomPlan<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  return retryOnConflict(() =>
    db.transaction().execute(async (tx) => {
      await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
      return read(tx);
    }),
  );
}
