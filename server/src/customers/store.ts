import type { CustomerAddress } from '@jangada/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { type ListCursor, MAX_ROWS_SCANNED } from '../list-cursor.ts';
import { merchantIdFromPrefix } from '../merchant-prefix.ts';
import { type CustomerFacts, type StoredCustomer, searchTextOf, TOKEN_LENGTH } from './customer.ts';

type CustomerRow = Omit<Selectable<DB['customers']>, 'search_text'>;
type CustomerKey = Pick<StoredCustomer, 'merchantId' | 'id'>;

const columns = [
  'merchant_id',
  'id',
  'name',
  'document',
  'email',
  'phone',
  'street',
  'city',
  'state',
  'zip_code',
  'note',
  'external_id',
  'page_token',
  'stop_token',
  'reminders_stopped_at',
  'created_by',
  'created_at',
  'updated_at',
  'archived_at',
  'version',
] as const;

function customerFrom(row: CustomerRow): StoredCustomer {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    name: row.name,
    document: row.document,
    email: row.email,
    phone: row.phone,
    address: addressFrom(row),
    note: row.note,
    externalId: row.external_id,
    pageToken: row.page_token,
    stopToken: row.stop_token,
    remindersStoppedAt: row.reminders_stopped_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    version: row.version,
  };
}

function addressFrom({ street, city, state, zip_code }: CustomerRow): CustomerAddress | null {
  if (street === null || city === null || state === null || zip_code === null) return null;
  return { street, city, state, zip_code };
}

const factColumns = (facts: CustomerFacts) => ({
  name: facts.name,
  document: facts.document,
  email: facts.email,
  phone: facts.phone,
  street: facts.address?.street ?? null,
  city: facts.address?.city ?? null,
  state: facts.address?.state ?? null,
  zip_code: facts.address?.zip_code ?? null,
  note: facts.note,
  external_id: facts.externalId,
  search_text: searchTextOf(facts),
});

export async function insertCustomer(
  tx: Tx,
  {
    merchantId,
    id,
    pageToken,
    stopToken,
    createdBy,
  }: CustomerKey & Pick<StoredCustomer, 'pageToken' | 'stopToken' | 'createdBy'>,
  facts: CustomerFacts,
): Promise<StoredCustomer> {
  const row = await tx.db
    .insertInto('customers')
    .values({
      merchant_id: merchantId,
      id,
      ...factColumns(facts),
      page_token: pageToken,
      stop_token: stopToken,
      reminders_stopped_at: stoppedFor({ merchantId }, facts.email),
      created_by: createdBy,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return customerFrom(row);
}

/**
 * Replaces what the merchant says about a customer. The caller must have locked the customer, because the new version is
 * computed from the version that the caller read.
 */
export async function updateCustomer(
  tx: Tx,
  { merchantId, id, version }: CustomerKey & Pick<StoredCustomer, 'version'>,
  facts: CustomerFacts,
  archivedAt: Date | null,
): Promise<StoredCustomer> {
  const row = await tx.db
    .updateTable('customers')
    .set({
      ...factColumns(facts),
      reminders_stopped_at: sql`coalesce(reminders_stopped_at, ${stoppedFor({ merchantId }, facts.email)})`,
      archived_at: archivedAt,
      version: version + 1,
      updated_at: tx.now,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return customerFrom(row);
}

export async function updatePageToken(
  tx: Tx,
  { merchantId, id }: CustomerKey,
  pageToken: string,
): Promise<StoredCustomer | undefined> {
  const row = await tx.db
    .updateTable('customers')
    .set({ page_token: pageToken, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row && customerFrom(row);
}

export async function findCustomer(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<StoredCustomer | undefined> {
  const row = await db
    .selectFrom('customers')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && customerFrom(row);
}

/** Finds a customer by the token at the end of the address of one of their two pages. */
export async function findCustomerByToken(
  db: Db,
  page: 'page' | 'stop',
  token: string,
): Promise<StoredCustomer | undefined> {
  const merchantId = merchantIdFromPrefix(token, TOKEN_LENGTH);
  if (merchantId === undefined) return undefined;
  const row = await db
    .selectFrom('customers')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where(page === 'page' ? 'page_token' : 'stop_token', '=', token)
    .executeTakeFirst();
  return row && customerFrom(row);
}

/**
 * Stores that a customer wants no reminders any more, or null if they want them again. It holds for all entries of the
 * merchant's with the same address, because a person reads them.
 */
export async function setRemindersStopped(
  tx: Tx,
  { merchantId, id, email }: CustomerKey & Pick<StoredCustomer, 'email'>,
  stoppedAt: Date | null,
): Promise<void> {
  await tx.db
    .updateTable('customers')
    .set({ reminders_stopped_at: stoppedAt })
    .where('merchant_id', '=', merchantId)
    .where((eb) => eb.or([eb('id', '=', id), eb(lowerEmail, '=', email?.toLowerCase() ?? null)]))
    .execute();
}

const lowerEmail = sql<string | null>`lower(email)`;

/** When reminders to an address were stopped, by whichever entry of the merchant's; null if they were not. */
function stoppedFor({ merchantId }: Pick<CustomerKey, 'merchantId'>, email: string | null) {
  return sql<Date | null>`(
    select min(stopped.reminders_stopped_at) from customers stopped
    where stopped.merchant_id = ${merchantId} and lower(stopped.email) = lower(${email}::text)
      and stopped.reminders_stopped_at is not null)`;
}

/** Locks a customer, so that changes to it happen one at a time. */
export async function lockCustomer(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<StoredCustomer | undefined> {
  const row = await tx.db
    .selectFrom('customers')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && customerFrom(row);
}

export type CustomerFilter = {
  readonly merchantId: number;
  readonly archived: boolean;
  readonly externalId: string | undefined;
  /** A folded text (`foldForSearch`); undefined finds all. */
  readonly search: string | undefined;
  /** Who sees documents and mails masked must not find out by searches what is masked. */
  readonly searchesNamesOnly: boolean;
};

/** `after`: the last customer of the page before. */
type Page = { readonly limit: number; readonly after?: ListCursor };

/**
 * Lists customers, newest first. Only a limited number of customers is scanned, because no index covers the search; so a
 * page may have fewer customers than `limit` although more follow.
 */
export async function listCustomers(
  db: Db,
  { merchantId, archived, externalId, search, searchesNamesOnly }: CustomerFilter,
  { limit, after }: Page,
): Promise<StoredCustomer[]> {
  let found = db
    .selectFrom(customersAfter(db, merchantId, after).selectAll().limit(MAX_ROWS_SCANNED).as('scanned'))
    .select(columns)
    .where('archived_at', archived ? 'is not' : 'is', null);
  if (externalId !== undefined) found = found.where('external_id', '=', externalId);
  // The name is the first line (`searchTextOf`).
  const searched = searchesNamesOnly ? sql`split_part(search_text, E'\\n', 1)` : sql`search_text`;
  if (search !== undefined) found = found.where(sql<boolean>`strpos(${searched}, ${search}) > 0`);
  const rows = await found.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(customerFrom);
}

/** Returns the last customer that a list scanned, or undefined if the list reached the end. */
export async function findLastScannedCustomer(
  db: Db,
  { merchantId }: Pick<CustomerFilter, 'merchantId'>,
  { after }: Pick<Page, 'after'>,
): Promise<ListCursor | undefined> {
  return await customersAfter(db, merchantId, after)
    .select(['created_at as createdAt', 'id'])
    .offset(MAX_ROWS_SCANNED - 1)
    .limit(1)
    .executeTakeFirst();
}

function customersAfter(db: Db, merchantId: number, after: ListCursor | undefined) {
  let customers = db.selectFrom('customers').where('merchant_id', '=', merchantId);
  if (after !== undefined)
    customers = customers.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`);
  return customers.orderBy('created_at', 'desc').orderBy('id', 'desc');
}
