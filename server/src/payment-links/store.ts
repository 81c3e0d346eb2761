import { PAYMENT_LINK_LIMITS } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { type ListCursor, MAX_ROWS_SCANNED } from '../list-cursor.ts';
import { firstTimeIdAt } from '../time-id.ts';
import type { StoredPaymentLink } from './payment-link.ts';

const columns = [
  'merchant_id as merchantId',
  'id',
  'slug',
  'title',
  'description',
  'amount_cents as amountCents',
  'max_payments as maxPayments',
  'ends_at as endsAt',
  'success_url as successUrl',
  'active',
  'version',
  'payments',
  'received_cents as receivedCents',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** The terms of a link, set by its owner. */
export type LinkTerms = Pick<
  StoredPaymentLink,
  'title' | 'description' | 'amountCents' | 'maxPayments' | 'endsAt' | 'successUrl' | 'active'
>;

const termColumns = (terms: LinkTerms) => ({
  title: terms.title,
  description: terms.description,
  amount_cents: terms.amountCents,
  max_payments: terms.maxPayments,
  ends_at: terms.endsAt,
  success_url: terms.successUrl,
  active: terms.active,
});

export async function insertLink(
  tx: Tx,
  { merchantId, id, slug }: Pick<StoredPaymentLink, 'merchantId' | 'id' | 'slug'>,
  terms: LinkTerms,
): Promise<StoredPaymentLink> {
  return await tx.db
    .insertInto('payment_links')
    .values({
      merchant_id: merchantId,
      id,
      slug,
      ...termColumns(terms),
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/**
 * Replaces the terms of a link. The caller must have locked the link, because the new version is computed from the
 * version that the caller read.
 */
export async function updateLink(
  tx: Tx,
  { merchantId, id, version }: Pick<StoredPaymentLink, 'merchantId' | 'id' | 'version'>,
  terms: LinkTerms,
): Promise<StoredPaymentLink> {
  return await tx.db
    .updateTable('payment_links')
    .set({ ...termColumns(terms), version: version + 1, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function findLink(
  db: Db,
  merchantId: number,
  id: string,
): Promise<StoredPaymentLink | undefined> {
  return await db
    .selectFrom('payment_links')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findLinkBySlug(db: Db, slug: string): Promise<StoredPaymentLink | undefined> {
  return await db.selectFrom('payment_links').select(columns).where('slug', '=', slug).executeTakeFirst();
}

/** Locks a link, so that charges created with it and changes to it happen one at a time. */
export async function lockLink(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<StoredPaymentLink | undefined> {
  return await tx.db
    .selectFrom('payment_links')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Charges older than their lifetime plus this delay are not counted as open. Such a charge can be pending only while no
 * process expires charges, and its code can no longer be paid.
 */
const expiryDelayMs = 3_600_000;

/**
 * Counts a link's open codes (charges that can still be paid), up to `maxCount`. Completed payments are not included:
 * the transaction that books a payment counts it in the link's row.
 */
export async function countOpenCharges(
  db: Db | Tx['db'],
  { merchantId, id }: Pick<StoredPaymentLink, 'merchantId' | 'id'>,
  now: Date,
  maxCount: number,
): Promise<number> {
  const openSince = new Date(now.getTime() - PAYMENT_LINK_LIMITS.chargeSeconds * 1000 - expiryDelayMs);
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from (
      select 1 from charge_options options
      join charges on charges.merchant_id = options.merchant_id and charges.id = options.charge_id
      where options.merchant_id = ${merchantId} and options.payment_link_id = ${id} and charges.status = 'pending'
        and options.charge_id >= ${firstTimeIdAt(openSince)}::uuid
      limit ${maxCount}
    ) counted
  `.execute(db);
  return rows[0]?.open ?? 0;
}

export type LinkFilter = {
  readonly merchantId: number;
  readonly status: 'active' | 'ended' | undefined;
  readonly now: Date;
};

/**
 * Lists links, newest first. With a filter by status, only a limited number of links is scanned, because no index
 * covers links that end by time; so a page may have fewer links than `limit` although more follow.
 */
export async function listLinks(
  db: Db,
  { merchantId, status, now }: LinkFilter,
  { limit, after }: Page,
): Promise<StoredPaymentLink[]> {
  if (status === undefined)
    return await linksAfter(db, merchantId, after).select(columns).limit(limit).execute();
  const acceptsPayments = sql<boolean>`(active and (ends_at is null or ends_at > ${now})
    and (max_payments is null or payments < max_payments))`;
  return await db
    .selectFrom(linksAfter(db, merchantId, after).selectAll().limit(MAX_ROWS_SCANNED).as('scanned'))
    .select(columns)
    .where(acceptsPayments, '=', status === 'active')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the last link that a list with a filter by status scanned, or undefined if the list reached the end. */
export async function findLastScannedLink(
  db: Db,
  { merchantId, status }: LinkFilter,
  { after }: Pick<Page, 'after'>,
): Promise<ListCursor | undefined> {
  if (status === undefined) return undefined;
  return await linksAfter(db, merchantId, after)
    .select(['created_at as createdAt', 'id'])
    .offset(MAX_ROWS_SCANNED - 1)
    .limit(1)
    .executeTakeFirst();
}

/** `after`: the last link of the page before. */
type Page = { readonly limit: number; readonly after?: ListCursor };

function linksAfter(db: Db, merchantId: number, after: ListCursor | undefined) {
  let links = db.selectFrom('payment_links').where('merchant_id', '=', merchantId);
  if (after !== undefined)
    links = links.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`);
  return links.orderBy('created_at', 'desc').orderBy('id', 'desc');
}
