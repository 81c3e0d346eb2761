import type { AuthorizationRequestMails, SubscriptionPeriod } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { type Addressee, addressee, type DebitReminderKind, isReached } from './debit-reminder-store.ts';

/** The first request, and the second; in this order they are made. */
export const authorizationRequestKinds = [
  'authorization',
  'authorization_again',
] as const satisfies readonly DebitReminderKind[];
export type AuthorizationRequestKind = (typeof authorizationRequestKinds)[number];

/** A subscription whose debits nobody has authorised, and the customer who is to do it. */
export type Unauthorized = Addressee & {
  readonly subscriptionId: string;
  readonly contract: string;
  readonly description: string;
  /** Null if it varies. */
  readonly amountCents: number | null;
  readonly firstDay: string;
  readonly lastDay: string | null;
  readonly period: SubscriptionPeriod;
  readonly codeAt: Date;
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
  /** When the code came to be at the earliest. */
  readonly since: Date;
  /** For the second request: when the first one was made at the latest. */
  readonly askedBefore?: Date;
  /** Reads on after this one. */
  readonly after?: Pick<Unauthorized, 'codeAt' | 'subscriptionId'> | undefined;
  readonly limit: number;
};

/**
 * Reads subscriptions, those with the oldest codes first, that wait for the customer to authorise them by a code, and of
 * which this request was not made. Of `push` the bank's app asks by itself, and the codes of `pay` and `offer` take a
 * payment, too.
 */
export async function selectUnauthorized(
  db: Db | Tx['db'],
  { merchantId, kind, since, askedBefore, after, limit }: ToAsk,
): Promise<readonly Unauthorized[]> {
  const wasAsked = sql`exists (
    select from debit_reminders first
    where first.merchant_id = subscriptions.merchant_id and first.subscription_id = subscriptions.id
      and first.number = 0 and first.kind = 'authorization' and first.created_at <= ${askedBefore})`;
  const { rows } = await sql<Unauthorized>`
    select subscriptions.id as "subscriptionId", subscriptions.contract, subscriptions.description,
      subscriptions.amount_cents as "amountCents", subscriptions.first_day as "firstDay",
      subscriptions.last_day as "lastDay", subscriptions.period, mandates.code_at as "codeAt", ${addressee}
    from mandates
    join subscriptions on subscriptions.merchant_id = mandates.merchant_id
      and subscriptions.id = mandates.subscription_id
    join customers on customers.merchant_id = subscriptions.merchant_id
      and customers.id = subscriptions.customer_id
    left join debit_reminders asked on asked.merchant_id = subscriptions.merchant_id
      and asked.subscription_id = subscriptions.id and asked.number = 0 and asked.kind = ${kind}
    where mandates.merchant_id = ${merchantId} and mandates.status = 'created' and mandates.code_at > ${since}
      and subscriptions.status = 'waiting' and subscriptions.authorized_by = 'code'
      and ${isReached} and asked.number is null
      ${after === undefined ? sql`` : sql`and (mandates.code_at, mandates.subscription_id) > (${after.codeAt}, ${after.subscriptionId}::uuid)`}
      ${askedBefore === undefined ? sql`` : sql`and ${wasAsked}`}
    order by mandates.code_at, mandates.subscription_id limit ${limit}
  `.execute(db);
  return rows;
}

/** The addresses of the customers of an account whom a request was written since a moment. */
export async function selectAddressesAsked(
  db: Db | Tx['db'],
  merchantId: number,
  since: Date,
): Promise<readonly string[]> {
  const { rows } = await sql<{ email: string }>`
    select customers.email from debit_reminders
    join customers on customers.merchant_id = debit_reminders.merchant_id
      and customers.id = debit_reminders.customer_id
    where debit_reminders.merchant_id = ${merchantId} and debit_reminders.created_at >= ${since}
      and debit_reminders.kind in (${sql.join(authorizationRequestKinds)}) and customers.email is not null
  `.execute(db);
  return rows.map(({ email }) => email);
}
