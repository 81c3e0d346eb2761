import type { DueChargeView } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { firstTimeIdAt } from '../time-id.ts';
import type { Charge } from './payment.ts';
import { type ChargeRow, chargeColumns, chargeFrom } from './store.ts';

/** Which charges with a due date, or which named ones without, a list shows. Its period bounds what it reads. */
export type DueChargeFilter = {
  readonly merchantId: number;
  /** Undefined for all charges with a due date. */
  readonly view: DueChargeView | undefined;
  /** The first and the last due date. */
  readonly from: string;
  readonly to: string;
  /** The same days as moments, for charges without a due date, which are found by their creation. */
  readonly created: { readonly from: Date | undefined; readonly until: Date | undefined };
  /** `document` is set if the text is a whole CPF or CNPJ. */
  readonly search: { readonly text: string; readonly document: string | undefined } | undefined;
  /** The due dates that fall due today; earlier ones are overdue. */
  readonly dueToday: { readonly from: string; readonly to: string };
  readonly now: Date;
};

/** The position of a charge in a list; `dueDate` is null in the list of charges without one. */
export type DuePosition = Pick<Charge, 'dueDate' | 'id'>;

/** Reads a page: open charges from the earliest due date on, all others from the latest. */
export async function listDue(
  db: Db,
  filter: DueChargeFilter,
  { after, limit }: { readonly after: DuePosition | undefined; readonly limit: number },
): Promise<Charge[]> {
  const isAscending = isOpenView(filter.view);
  const direction = isAscending ? sql`asc` : sql`desc`;
  const { rows } = await sql<ChargeRow>`
    select ${sql.join(chargeColumns.map((column) => sql.ref(`charges.${column}`)))}
    from ${sourceOf(filter)}
    where ${conditionsOf(filter)} and ${viewCondition(filter)} ${positionCondition(filter, after)}
    order by ${
      filter.view === 'undated'
        ? sql`options.charge_id desc`
        : sql`charges.due_date ${direction}, charges.id ${direction}`
    }
    limit ${sql.lit(limit)}
  `.execute(db);
  return rows.map(chargeFrom);
}

/** The number of charges, and the sum of their amounts. */
type Sum = { readonly count: number; readonly cents: number };

/** Adds up the charges of a period in one statement, whatever the view, but for charges without a due date. */
export async function sumDue(
  db: Db,
  filter: DueChargeFilter,
): Promise<{ readonly due: Sum; readonly overdue: Sum; readonly paid: Sum }> {
  const isOpen = openCondition(filter.now);
  const isOverdue =
    filter.view === 'undated' ? sql`false` : sql`charges.due_date < ${filter.dueToday.from}::date`;
  const isPaid = sql`charges.status in ('paid', 'refunded')`;
  const { rows } = await sql<
    Record<'due' | 'overdue' | 'paid' | `${'due' | 'overdue' | 'paid'}_cents`, number>
  >`
    select count(*) filter (where ${isOpen} and not ${isOverdue}) as due,
           coalesce(sum(amount_cents) filter (where ${isOpen} and not ${isOverdue}), 0)::bigint as due_cents,
           count(*) filter (where ${isOpen} and ${isOverdue}) as overdue,
           coalesce(sum(amount_cents) filter (where ${isOpen} and ${isOverdue}), 0)::bigint as overdue_cents,
           count(*) filter (where ${isPaid}) as paid,
           coalesce(sum(amount_cents - refunded_cents) filter (where ${isPaid}), 0)::bigint as paid_cents
    from ${sourceOf(filter)}
    where ${conditionsOf(filter)}
  `.execute(db);
  const [row] = rows;
  return {
    due: { count: row?.due ?? 0, cents: row?.due_cents ?? 0 },
    overdue: { count: row?.overdue ?? 0, cents: row?.overdue_cents ?? 0 },
    paid: { count: row?.paid ?? 0, cents: row?.paid_cents ?? 0 },
  };
}

function isOpenView(view: DueChargeFilter['view']): boolean {
  return view === 'open' || view === 'upcoming' || view === 'today' || view === 'overdue';
}

/** Charges without a due date are found through their options, which only those have that name a payer. */
function sourceOf({ view, merchantId }: DueChargeFilter): RawBuilder<unknown> {
  return view === 'undated'
    ? sql`charge_options options
          join charges on charges.merchant_id = ${merchantId} and charges.id = options.charge_id
                      and charges.due_date is null`
    : sql`charges`;
}

function conditionsOf(filter: DueChargeFilter): RawBuilder<unknown> {
  const { merchantId, view, from, to, created, search } = filter;
  if (view !== 'undated')
    return sql`charges.merchant_id = ${merchantId} and charges.due_date between ${from}::date and ${to}::date
               ${
                 search === undefined
                   ? sql``
                   : sql`and (${externalIdCondition(search)} or exists (
                 select 1 from charge_options options
                 where options.merchant_id = ${merchantId} and options.charge_id = charges.id
                   and ${payerCondition(search)}))`
               }`;
  return sql`options.merchant_id = ${merchantId} and options.payer_name is not null
             ${created.from === undefined ? sql`` : sql`and options.charge_id >= ${firstTimeIdAt(created.from)}::uuid`}
             ${created.until === undefined ? sql`` : sql`and options.charge_id < ${firstTimeIdAt(created.until)}::uuid`}
             ${search === undefined ? sql`` : sql`and (${externalIdCondition(search)} or ${payerCondition(search)})`}`;
}

type Search = NonNullable<DueChargeFilter['search']>;

const externalIdCondition = ({ text }: Search) => sql`charges.external_id = ${text}`;

const payerCondition = ({ text, document }: Search) =>
  document === undefined
    ? sql`position(${foldedSql(sql`${text}::text`)} in ${foldedSql(sql`options.payer_name`)}) > 0`
    : sql`options.payer_document = ${document}`;

/** A text in lower case and without the accents of Portuguese, so that names are found as people type them. */
const foldedSql = (text: RawBuilder<unknown>) =>
  sql`lower(translate(${text}, 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
                               'aaaaaeeeeiiiiooooouuuucnAAAAAEEEEIIIIOOOOOUUUUCN'))`;

/** Mirrors `effectiveStatusAt`: a charge counts as expired from its expiry on. */
const openCondition = (now: Date) =>
  sql`(charges.status = 'pending' and (charges.br_code = '' or charges.expires_at > ${now}))`;

function viewCondition({ view, dueToday, now }: DueChargeFilter): RawBuilder<unknown> {
  const { from, to } = dueToday;
  const isOpen = openCondition(now);
  switch (view) {
    case undefined:
    case 'undated':
      return sql`true`;
    case 'open':
      return isOpen;
    case 'upcoming':
      return sql`${isOpen} and charges.due_date > ${to}::date`;
    case 'today':
      return sql`${isOpen} and charges.due_date between ${from}::date and ${to}::date`;
    case 'overdue':
      return sql`${isOpen} and charges.due_date < ${from}::date`;
    case 'paid':
      return sql`charges.status in ('paid', 'refunded')`;
    case 'ended':
      return sql`charges.status not in ('paid', 'refunded') and not ${isOpen}`;
  }
}

function positionCondition({ view }: DueChargeFilter, after: DuePosition | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql``;
  if (view === 'undated') return sql`and options.charge_id < ${after.id}::uuid`;
  const comparison = isOpenView(view) ? sql`>` : sql`<`;
  return sql`and (charges.due_date, charges.id) ${comparison} (${after.dueDate}::date, ${after.id}::uuid)`;
}
