import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { LinkPurpose } from './link.ts';

export type MailRow = {
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly linkId: string | null;
  /** Null if the mail has no link or the link has expired. */
  readonly linkPurpose: LinkPurpose | null;
  /** The number of attempts to send it, including the current one. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly userId: number;
  /** The charge of the account `userId` of which the mail reminds. */
  readonly chargeId: string | null;
  /** The subscription of the account `userId` that the mail asks to authorise. */
  readonly subscriptionId: string | null;
  readonly uselessAfter: Date | null;
};

type MailToInsert = {
  readonly id: string;
  readonly userId: number;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly to?: string;
  readonly linkId?: string;
  readonly chargeId?: string;
  readonly subscriptionId?: string;
  readonly uselessAfter?: Date;
  /** Whether `userId` is an account, whose holder gets the mail. */
  readonly toHolder: boolean;
};

/**
 * The person to whom a mail about an account goes: who holds it now. Other mails are about a person, who gets them.
 */
const recipientOf = (userId: number, toHolder: boolean) =>
  toHolder
    ? sql`coalesce((select user_id from members where merchant_id = ${userId} and holder), ${userId})`
    : sql`${userId}`;

/** Inserts a mail that is due immediately, by default to the person's current e-mail address. */
export async function insertMail({ db, now }: Tx, mail: MailToInsert): Promise<void> {
  await sql`
    insert into mails (id, user_id, kind, recipient, subject, body, link_id, charge_id, subscription_id, useless_after,
                       due_at, created_at)
    select ${mail.id}::uuid, id, ${mail.kind}, coalesce(${mail.to ?? null}::text, email), ${mail.subject}, ${mail.body},
           ${mail.linkId ?? null}::uuid, ${mail.chargeId ?? null}::uuid, ${mail.subscriptionId ?? null}::uuid,
           ${mail.uselessAfter ?? null}::timestamptz, ${now}, ${now}
    from users where id = ${recipientOf(mail.userId, mail.toHolder)}
  `.execute(db);
}

/** Counts the mails of a kind written since a moment to a person, or with `toHolder` to who holds an account. */
export async function countMails(
  db: Db,
  { userId, toHolder, kind, since }: { userId: number; toHolder: boolean; kind: string; since: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', sql<number>`${recipientOf(userId, toHolder)}`)
    .where('created_at', '>', since)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return count;
}

const mailColumns = sql`
  mails.id, mails.kind, mails.recipient, mails.subject, mails.body, mails.link_id as "linkId",
  links.purpose as "linkPurpose", mails.attempts, mails.created_at as "createdAt",
  mails.user_id as "userId", mails.charge_id as "chargeId", mails.subscription_id as "subscriptionId",
  mails.useless_after as "uselessAfter"
`;

/**
 * Claims due mails, oldest first, and postpones them until `leasedUntil`: if the worker has not finished by then, it
 * has crashed, and another worker may claim the mails.
 */
export async function claimMails(
  { db, now }: Tx,
  limit: number,
  leasedUntil: Date,
): Promise<readonly MailRow[]> {
  const { rows } = await sql<MailRow>`
    with due as (
      select id, link_id from mails where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    update mails set attempts = attempts + 1, due_at = ${leasedUntil}
    from due left join mail_links links on links.id = due.link_id and links.expires_at > ${now}
    where mails.id = due.id
    returning ${mailColumns}
  `.execute(db);
  return rows;
}

/** Whether a customer may still be reminded of a charge: it can be paid, and the customer did not stop the reminders. */
export async function canRemindOf(
  db: Db,
  { merchantId, chargeId, now }: { merchantId: number; chargeId: string; now: Date },
): Promise<boolean> {
  const found = await db
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
    .select('charges.id')
    .where('charges.merchant_id', '=', merchantId)
    .where('charges.id', '=', chargeId)
    .where('charges.status', '=', 'pending')
    .where('charges.cancelled_at', 'is', null)
    .where('charges.expires_at', '>', now)
    .where('customers.reminders_stopped_at', 'is', null)
    .where('customers.archived_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether a customer may still be asked to authorise a subscription: it waits for that by a code, and they get mails. */
export async function canAskToAuthorize(
  db: Db,
  { merchantId, subscriptionId }: { merchantId: number; subscriptionId: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('subscriptions')
    .innerJoin('mandates', (join) =>
      join
        .onRef('mandates.merchant_id', '=', 'subscriptions.merchant_id')
        .onRef('mandates.subscription_id', '=', 'subscriptions.id'),
    )
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.merchant_id', '=', 'subscriptions.merchant_id')
        .onRef('customers.id', '=', 'subscriptions.customer_id'),
    )
    .select('subscriptions.id')
    .where('subscriptions.merchant_id', '=', merchantId)
    .where('subscriptions.id', '=', subscriptionId)
    .where('subscriptions.status', '=', 'waiting')
    .where('subscriptions.authorized_by', '=', 'code')
    .where('mandates.status', '=', 'created')
    .where('customers.reminders_stopped_at', 'is', null)
    .where('customers.archived_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

export type MailChange = {
  readonly due_at: Date | null;
  readonly sent_at?: Date;
  readonly body?: null;
  readonly error?: string | null;
};

/** Records the outcome of a claimed mail; does nothing if another worker has sent it meanwhile. */
export async function updateMail(db: Db, id: string, change: MailChange): Promise<void> {
  await db.updateTable('mails').set(change).where('id', '=', id).where('sent_at', 'is', null).execute();
}

/** Deletes unsent mails, for a gateway that sends none. */
export async function deleteDueMails(db: Db): Promise<void> {
  await db.deleteFrom('mails').where('due_at', 'is not', null).execute();
}

export async function deleteMails(db: Db, writtenBefore: Date): Promise<void> {
  await db.deleteFrom('mails').where('created_at', '<', writtenBefore).where('due_at', 'is', null).execute();
}

/** Returns the newest mails that are stored with their text. */
export async function findMailsWithText(db: Db, now: Date, limit: number): Promise<readonly MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${mailColumns}
    from mails left join mail_links links on links.id = mails.link_id and links.expires_at > ${now}
    where mails.sent_at is not null and mails.body is not null
    order by mails.created_at desc, mails.id limit ${limit}
  `.execute(db);
  return rows;
}
