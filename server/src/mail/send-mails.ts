import pMap from 'p-map';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { linkUrl } from './link.ts';
import { deleteLinks } from './link-store.ts';
import { composeMailText } from './mail.ts';
import { createSmtp, type SendBySmtp, SmtpFailure } from './smtp.ts';
import {
  canAskToAuthorize,
  canRemindOf,
  claimMails,
  deleteDueMails,
  deleteMails,
  type MailChange,
  type MailRow,
  updateMail,
} from './store.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config' | 'secrets'>;

const maxConcurrentMails = 4;
/** How long a worker has the exclusive right to send a mail; longer than sending can take. */
const leaseMs = 90_000;

/**
 * Sends due mails and returns how many there were. A mail is marked as sent after the mail server accepted it: if the
 * process crashes in between, the mail is sent again, with the same Message-ID.
 */
export async function sendMails(deps: MailDeps): Promise<number> {
  const { mail } = deps.config;
  if (mail.goes === 'nowhere') {
    await deleteDueMails(deps.db);
    return 0;
  }
  const send = mail.goes === 'by smtp' ? createSmtp(mail) : undefined;
  const claimedMails = await inTransaction(deps, (tx) =>
    claimMails(tx, maxConcurrentMails, new Date(tx.now.getTime() + leaseMs)),
  );
  await pMap(
    claimedMails,
    async (row) => {
      const change = await sendMail(deps, row, send);
      await updateMail(deps.db, row.id, change);
    },
    { concurrency: maxConcurrentMails },
  );
  return claimedMails.length;
}

/** Sends a mail and returns the change to its row. Without `send`, its text remains stored for the sandbox mailbox. */
async function sendMail(deps: MailDeps, row: MailRow, send: SendBySmtp | undefined): Promise<MailChange> {
  const sentChange = { due_at: null, sent_at: deps.clock.now(), error: null };
  const reason = await reasonToDrop(deps, row);
  if (reason !== undefined) return { due_at: null, body: null, error: reason };
  if (send === undefined) return sentChange;
  try {
    await send({ ...row, text: mailTextOf(deps, row) });
    return { ...sentChange, body: null };
  } catch (error) {
    return changeAfterFailure(deps, row, error);
  }
}

/** Returns why a mail is of no use any more; undefined if it is to be sent. */
async function reasonToDrop({ db, clock }: MailDeps, row: MailRow): Promise<string | undefined> {
  const now = clock.now();
  if (row.linkId !== null && row.linkPurpose === null) return 'its link has ended';
  if (row.uselessAfter !== null && row.uselessAfter <= now) return 'it came too late';
  const { userId: merchantId, chargeId, subscriptionId } = row;
  if (chargeId !== null && !(await canRemindOf(db, { merchantId, chargeId, now })))
    return 'its charge has ended, or the customer wants no reminders';
  if (subscriptionId !== null && !(await canAskToAuthorize(db, { merchantId, subscriptionId })))
    return 'its subscription waits for nobody, or the customer wants no reminders';
  return undefined;
}

/**
 * Logs a failure, and returns the change that schedules the next attempt or gives the mail up. Neither the address nor
 * the server's reply, which may repeat the address, belongs in the log.
 */
function changeAfterFailure(
  { log, clock }: MailDeps,
  { id, kind, attempts }: MailRow,
  error: unknown,
): MailChange {
  const { reason, isFinal } = error instanceof SmtpFailure ? error : unexpectedFailure(error);
  const nextAttemptAt = isFinal ? undefined : nextAttempt(attempts, clock.now());
  log.warn({ mail: id, kind, attempts, reason, givenUp: nextAttemptAt === undefined }, 'a mail was not sent');
  return nextAttemptAt === undefined
    ? { due_at: null, body: null, error: reason }
    : { due_at: nextAttemptAt, error: reason };
}

/**
 * Describes an error that does not come from the mail server, such as a defect of the gateway. As after a temporary
 * refusal, the mail is retried until its attempts are exhausted.
 */
function unexpectedFailure(error: unknown): Pick<SmtpFailure, 'reason' | 'isFinal'> {
  return { reason: error instanceof Error ? error.name : typeof error, isFinal: false };
}

/** Returns the text of a mail as it is sent, with its link. */
export function mailTextOf({ config, secrets }: Pick<Deps, 'config' | 'secrets'>, row: MailRow): string {
  const { linkId: id, linkPurpose: purpose } = row;
  const link =
    id === null || purpose === null ? undefined : linkUrl(secrets, config.publicUrl, { id, purpose });
  return composeMailText(row, config.publicUrl, link);
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

// The delay after each failed attempt. With these delays, ten attempts take about a day.
const retryDelaysMs = [
  20 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  3 * hourMs,
  8 * hourMs,
  12 * hourMs,
];

/** Returns the time of the next attempt after this many failures; undefined when attempts are exhausted. */
function nextAttempt(attempts: number, now: Date): Date | undefined {
  const delay = retryDelaysMs[attempts - 1];
  return delay === undefined ? undefined : new Date(now.getTime() + delay);
}

const dayMs = 24 * 3_600_000;
/**
 * How many days mails are stored: those in the sandbox mailbox with their text, others only as a record of the sending.
 */
const retentionDays = { mailbox: 7, records: 90 };

/** Deletes old mails and expired links. */
export async function pruneMails({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now();
  const days = config.mail.goes === 'to the mailbox' ? retentionDays.mailbox : retentionDays.records;
  await deleteMails(db, new Date(now.getTime() - days * dayMs));
  await deleteLinks(db, now);
}
