import type { FailedDebitMails } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { type Addressee, addressee, type DebitReminderKind, isReached } from './debit-reminder-store.ts';

export const failedDebitKinds = ['given_up', 'warning'] as const satisfies readonly DebitReminderKind[];
export type FailedDebitKind = (typeof failedDebitKinds)[number];

/** A debit that failed, and the customer who is to be told. */
export type FailedDebit = Addressee & {
  readonly subscriptionId: string;
  readonly number: number;
  readonly contract: string;
  readonly description: string;
  readonly amountCents: number;
  readonly dueDay: string;
  /** The charge that the bank was to debit. */
  readonly chargeId: string | null;
  /** The day of the try that the bank has planned; null if none follows. */
  readonly nextTryDay: string | null;
};

/** The accounts that tell their customers of debits that failed. */
export async function selectTellingOfDebits(
  db: Db,
): Promise<readonly { readonly merchantId: number; readonly mails: FailedDebitMails }[]> {
  const rows = await db
    .selectFrom('reminder_settings')
    .select(['merchant_id as merchantId', 'failed_debits as mails'])
    .where(sql<boolean>`failed_debits->>'active' = 'true' or failed_debits->>'warns' = 'true'`)
    .orderBy('merchant_id')
    .execute();
  return rows.map(({ merchantId, mails }) => ({ merchantId, mails: mailsFrom(mails) }));
}

/** The column holds what the contract has checked. */
function mailsFrom(stored: unknown): FailedDebitMails {
  return stored as FailedDebitMails;
}

type ToTell = {
  readonly merchantId: number;
  readonly kind: FailedDebitKind;
  readonly since: Date;
  readonly limit: number;
};

/**
 * Reads the debits that failed since a moment and of which the customer was not told. Not those of a subscription that the
 * merchant ended: what is owed of it is between the two.
 */
export async function selectFailedDebits(
  db: Db | Tx['db'],
  { merchantId, kind, since, limit }: ToTell,
  only?: Pick<FailedDebit, 'subscriptionId' | 'number'>,
): Promise<FailedDebit[]> {
  const nextTry = sql`(
    select min(day) from debit_attempts tries
    where tries.merchant_id = cycles.merchant_id and tries.subscription_id = cycles.subscription_id
      and tries.number = cycles.number and tries.is_retry and tries.status in ('requested', 'scheduled'))`;
  const { rows } = await sql<FailedDebit>`
    select cycles.subscription_id as "subscriptionId", cycles.number, subscriptions.contract, subscriptions.description,
      cycles.amount_cents as "amountCents", cycles.due_day as "dueDay", cycles.charge_id as "chargeId",
      ${addressee},
      ${kind === 'warning' ? nextTry : sql`null::date`} as "nextTryDay"
    from cycles
    join subscriptions on subscriptions.merchant_id = cycles.merchant_id
      and subscriptions.id = cycles.subscription_id
    join customers on customers.merchant_id = subscriptions.merchant_id
      and customers.id = subscriptions.customer_id
    left join debit_reminders told on told.merchant_id = cycles.merchant_id
      and told.subscription_id = cycles.subscription_id and told.number = cycles.number and told.kind = ${kind}
    where cycles.merchant_id = ${merchantId} and cycles.status = ${kind === 'warning' ? 'retrying' : 'given_up'}
      and cycles.updated_at > ${since} and cycles.amount_cents is not null
      and subscriptions.end_reason is distinct from 'by_merchant'
      and ${isReached} and told.number is null
      ${kind === 'warning' ? sql`and ${nextTry} is not null` : sql``}
      ${only === undefined ? sql`` : sql`and cycles.subscription_id = ${only.subscriptionId} and cycles.number = ${only.number}`}
    order by cycles.updated_at limit ${limit}
  `.execute(db);
  return rows;
}
