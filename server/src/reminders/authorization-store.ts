import type { AuthorizationRequestMails } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { type Addressee, addressee, type DebitReminderKind, isReached } from './debit-reminder-store.ts';

export type AuthorizationRequestKind = Extract<DebitReminderKind, `authorization${string}`>;

/** A subscription whose debits nobody has authorised, and the customer who is to do it. */
type Unauthorized = Addressee & {
  readonly subscriptionId: string;
  readonly contract: string;
  readonly description: string;
  /** Null if it varies. */
  readonly amountCents: number | null;
  readonly firstDay: string;
};

export type AskingAccount = { readonly merchantId: number; readonly mails: AuthorizationRequestMails };

/** The accounts that ask their customers to authorise debits. */
export async function selectAskingAccounts(db: Db): Promise<readonly AskingAccount[]> {
  const rows = await db
    .selectFrom('reminder_settings')
    .select(['merchant_id as merchantId', 'authorization_requests as mails'])
    .where(sql<boolean>`authorization_requests->>'active' = 'true'`)
    .orderBy('merchant_id')
    .execute();
  return rows.map(({ merchantId, mails }) => ({ merchantId, mails: mailsFrom(mails) }));
}

/** The column holds what the contract has checked. */
function mailsFrom(stored: unknown): AuthorizationRequestMails {
  return stored as AuthorizationRequestMails;
}

type ToAsk = {
  readonly merchantId: number;
  readonly kind: AuthorizationRequestKind;
  /** When a subscription was made at the earliest. */
  readonly since: Date;
  /** For the second request: when the first one was made at the latest. */
  readonly askedBefore?: Date;
  readonly limit: number;
};

/**
 * Reads subscriptions, oldest first, that wait for the customer to authorise them by a code, and of which this request was
 * not made. Of `push` the bank's app asks by itself.
 */
export async function selectUnauthorized(
  db: Db | Tx['db'],
  { merchantId, kind, since, askedBefore, limit }: ToAsk,
): Promise<readonly Unauthorized[]> {
  const wasAsked = sql`exists (
    select from debit_reminders first
    where first.merchant_id = subscriptions.merchant_id and first.subscription_id = subscriptions.id
      and first.number = 0 and first.kind = 'authorization' and first.created_at <= ${askedBefore})`;
  const { rows } = await sql<Unauthorized>`
    select subscriptions.id as "subscriptionId", subscriptions.contract, subscriptions.description,
      subscriptions.amount_cents as "amountCents", subscriptions.first_day as "firstDay", ${addressee}
    from subscriptions
    join mandates on mandates.merchant_id = subscriptions.merchant_id
      and mandates.subscription_id = subscriptions.id
    join customers on customers.merchant_id = subscriptions.merchant_id
      and customers.id = subscriptions.customer_id
    left join debit_reminders asked on asked.merchant_id = subscriptions.merchant_id
      and asked.subscription_id = subscriptions.id and asked.number = 0 and asked.kind = ${kind}
    where subscriptions.merchant_id = ${merchantId} and subscriptions.status = 'waiting'
      and subscriptions.customer_id is not null and subscriptions.created_at > ${since}
      and subscriptions.authorized_by <> 'push' and mandates.status = 'created' and mandates.br_code <> ''
      and ${isReached} and asked.number is null
      ${askedBefore === undefined ? sql`` : sql`and ${wasAsked}`}
    order by subscriptions.created_at, subscriptions.id limit ${limit}
  `.execute(db);
  return rows;
}
