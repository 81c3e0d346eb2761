import type { AuthorizationRequestMails, FailedDebitMails } from '@jangada/contract';
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { ReminderTexts } from './reminder-mail.ts';

/** When and with which words an account reminds its customers of due dates. */
export type ReminderPlan = ReminderTexts & {
  readonly active: boolean;
  /** Days from the due date: below zero before it. */
  readonly days: readonly number[];
  readonly version: number;
};

/** The settings of an account. Mails about subscriptions are null until the account says so. */
export type StoredReminders = ReminderPlan & {
  readonly failedDebits: FailedDebitMails | null;
  readonly authorizationRequests: AuthorizationRequestMails | null;
};

const columns = ['active', 'days', 'subject', 'body as text', 'version'] as const;
const allColumns = [
  ...columns,
  'failed_debits as failedDebits',
  'authorization_requests as authorizationRequests',
] as const;
type Row = ReminderPlan & { readonly failedDebits: unknown; readonly authorizationRequests: unknown };

/** The columns hold what the contract has checked. */
const remindersFrom = (row: Row): StoredReminders => ({
  ...row,
  failedDebits: row.failedDebits as FailedDebitMails | null,
  authorizationRequests: row.authorizationRequests as AuthorizationRequestMails | null,
});

export async function findReminders(
  db: Db | Tx['db'],
  merchantId: number,
): Promise<StoredReminders | undefined> {
  const row = await db
    .selectFrom('reminder_settings')
    .select(allColumns)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row && remindersFrom(row);
}

/** Stores the settings of an account if their version is still the one before; returns undefined if it is another. */
export async function saveReminders(
  tx: Tx,
  merchantId: number,
  { active, days, subject, text, failedDebits, authorizationRequests, version }: StoredReminders,
): Promise<StoredReminders | undefined> {
  const values = {
    ...{ active, days: [...days], subject, body: text, version, updated_at: tx.now },
    failed_debits: failedDebits && JSON.stringify(failedDebits),
    authorization_requests: authorizationRequests && JSON.stringify(authorizationRequests),
  };
  const row = await tx.db
    .insertInto('reminder_settings')
    .values({ merchant_id: merchantId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('merchant_id')
        .doUpdateSet(values)
        .where('reminder_settings.version', '=', version - 1),
    )
    .returning(allColumns)
    .executeTakeFirst();
  return row && remindersFrom(row);
}

/** Reads the accounts that remind their customers. */
export async function selectReminding(
  db: Db,
): Promise<readonly (ReminderPlan & { readonly merchantId: number })[]> {
  return await db
    .selectFrom('reminder_settings')
    .select(['merchant_id as merchantId', ...columns])
    .where('active', '=', true)
    .orderBy('merchant_id')
    .execute();
}

/** Counts the reminders of an account on a day. */
export async function countReminders(db: Db | Tx['db'], merchantId: number, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('charge_reminders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('merchant_id', '=', merchantId)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads open charges of customers with these due dates, of which the customers were not reminded on this day yet. */
export async function selectToRemind(
  tx: Tx,
  merchantId: number,
  { dueDates, day, limit }: { dueDates: readonly string[]; day: string; limit: number },
) {
  return await tx.db
    .selectFrom('charges')
    .innerJoin('charge_options as options', (join) =>
      join
        .onRef('options.merchant_id', '=', 'charges.merchant_id')
        .onRef('options.charge_id', '=', 'charges.id'),
    )
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.merchant_id', '=', 'options.merchant_id')
        .onRef('customers.id', '=', 'options.customer_id'),
    )
    .leftJoin('charge_reminders as reminded', (join) =>
      join
        .onRef('reminded.merchant_id', '=', 'charges.merchant_id')
        .onRef('reminded.charge_id', '=', 'charges.id')
        .on('reminded.day', '=', day),
    )
    .select(['charges.id', 'charges.txid', 'charges.amount_cents as amountCents'])
    .select(['charges.due_date as dueDate', 'customers.id as customerId', 'customers.name as customerName'])
    .select(['customers.email', 'customers.page_token as pageToken', 'customers.stop_token as stopToken'])
    .where('charges.merchant_id', '=', merchantId)
    .where(sql<boolean>`charges.due_date = any(${textArray(dueDates)}::date[])`)
    .where('charges.status', '=', 'pending')
    .where('charges.cancelled_at', 'is', null)
    .where('charges.br_code', '!=', '')
    .where('charges.expires_at', '>', tx.now)
    .where('customers.email', 'is not', null)
    .where('customers.archived_at', 'is', null)
    .where('customers.reminders_stopped_at', 'is', null)
    .where('reminded.charge_id', 'is', null)
    .orderBy('charges.due_date')
    .orderBy('charges.id')
    .limit(limit)
    .execute();
}

/** Stores that customers are reminded on a day. Returns the charges of which nobody else reminded them meanwhile. */
export async function insertReminders(
  tx: Tx,
  merchantId: number,
  day: string,
  reminders: readonly { readonly id: string; readonly customerId: string }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ charge_id: string }>`
    insert into charge_reminders (merchant_id, charge_id, day, customer_id, created_at)
    select merchant_id, charge_id, ${day}::date, customer_id, ${tx.now}
    from unnest(
      ${numberArray(reminders.map(() => merchantId))}::bigint[],
      ${textArray(reminders.map(({ id }) => id))}::uuid[],
      ${textArray(reminders.map(({ customerId }) => customerId))}::uuid[]
    ) reminded (merchant_id, charge_id, customer_id)
    on conflict (merchant_id, charge_id, day) do nothing
    returning charge_id
  `.execute(tx.db);
  return new Set(rows.map(({ charge_id }) => charge_id));
}
