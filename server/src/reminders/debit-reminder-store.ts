import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * The occasions of a mail about a subscription. `given_up`: a debit was not made, and no try follows. `warning`: another
 * one follows. `authorization`: the debits are to be authorised; `authorization_again`: they still are.
 */
export type DebitReminderKind = 'given_up' | 'warning' | 'authorization' | 'authorization_again';

/** The customer who gets a mail, and the ends of the addresses of their two pages. */
export type Addressee = {
  readonly customerId: string;
  readonly customerName: string;
  readonly email: string;
  readonly pageToken: string;
  readonly stopToken: string;
};
export const addressee = sql`
  customers.id as "customerId", customers.name as "customerName", customers.email,
  customers.page_token as "pageToken", customers.stop_token as "stopToken"`;

/** Holds for customers who get mails. */
export const isReached = sql`
  customers.email is not null and customers.archived_at is null and customers.reminders_stopped_at is null`;

type ReminderRow = {
  readonly subscriptionId: string;
  /** Of the cycle; 0 of a request to authorise. */
  readonly number: number;
  readonly customerId: string;
};

/** Stores that customers are told. Returns the subscriptions of which nobody else told them meanwhile. */
export async function insertDebitReminders(
  tx: Tx,
  merchantId: number,
  kind: DebitReminderKind,
  reminders: readonly ReminderRow[],
): Promise<ReadonlySet<string>> {
  if (reminders.length === 0) return new Set();
  const rows = await tx.db
    .insertInto('debit_reminders')
    .values(
      reminders.map(({ subscriptionId, number, customerId }) => ({
        merchant_id: merchantId,
        subscription_id: subscriptionId,
        number,
        kind,
        customer_id: customerId,
        created_at: tx.now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'subscription_id', 'number', 'kind']).doNothing(),
    )
    .returning('subscription_id')
    .execute();
  return new Set(rows.map(({ subscription_id }) => subscription_id));
}

/** Counts the mails of these kinds of an account since a moment. */
export async function countDebitReminders(
  db: Db | Tx['db'],
  {
    merchantId,
    kinds,
    since,
  }: { readonly merchantId: number; readonly kinds: readonly DebitReminderKind[]; readonly since: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('debit_reminders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('merchant_id', '=', merchantId)
    .where('kind', 'in', kinds)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}
