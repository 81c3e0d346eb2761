import pMap from 'p-map';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { linkAddress } from './link.ts';
import { deleteLinks } from './link-store.ts';
import { textOf } from './mail.ts';
import { createSmtp, type SendBySmtp, SmtpRefusal } from './smtp.ts';
import {
  claimMails,
  deleteDueMails,
  deleteMails,
  type MailChange,
  type MailRow,
  updateMail,
} from './store.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config' | 'secrets'>;

const atOnce = 4;
/** Longer than sending can take. */
const leaseMs = 90_000;

/**
 * Sends due mails and returns how many there were. A mail is marked as sent after the server accepted it: after a crash
 * in between it is sent again, with the same Message-ID.
 */
export async function sendMails(deps: MailDeps): Promise<number> {
  const { mail } = deps.config;
  if (mail.goes === 'nowhere') {
    await deleteDueMails(deps.db);
    return 0;
  }
  const send = mail.goes === 'by smtp' ? createSmtp(mail) : undefined;
  const claimed = await inTransaction(deps, (tx) =>
    claimMails(tx, atOnce, new Date(tx.now.getTime() + leaseMs)),
  );
  await pMap(
    claimed,
    async (row) => {
      const change = await deliver(deps, row, send);
      await updateMail(deps.db, row.id, change);
    },
    { concurrency: atOnce },
  );
  return claimed.length;
}

/** Without `send`, the mail is kept for the mailbox. */
async function deliver(deps: MailDeps, row: MailRow, send: SendBySmtp | undefined): Promise<MailChange> {
  const sent = { due_at: null, sent_at: deps.clock.now(), error: null };
  if (row.linkId !== null && row.linkPurpose === null)
    return { due_at: null, body: null, error: 'its link has ended' };
  if (send === undefined) return sent;
  try {
    await send({ ...row, text: wholeText(deps, row) });
    return { ...sent, body: null };
  } catch (error) {
    return failed(deps, row, error);
  }
}

/**
 * Logs neither the server's reply nor the address: the reply may repeat the address, which does not belong in the log.
 */
function failed({ log, clock }: MailDeps, { id, kind, attempts }: MailRow, error: unknown): MailChange {
  const { reason, isFinal } = error instanceof SmtpRefusal ? error : unforeseen(error);
  const next = isFinal ? undefined : nextAttempt(attempts, clock.now());
  log.warn({ mail: id, kind, attempts, reason, givenUp: next === undefined }, 'a mail was not sent');
  return next === undefined ? { due_at: null, body: null, error: reason } : { due_at: next, error: reason };
}

/**
 * A mail that could not be built, or a bug of ours: retried until attempts are exhausted, like a temporary SMTP
 * failure.
 */
function unforeseen(error: unknown): Pick<SmtpRefusal, 'reason' | 'isFinal'> {
  return { reason: error instanceof Error ? error.name : typeof error, isFinal: false };
}

export function wholeText({ config, secrets }: Pick<Deps, 'config' | 'secrets'>, row: MailRow): string {
  const { linkId: id, linkPurpose: purpose } = row;
  const link =
    id === null || purpose === null ? undefined : linkAddress(secrets, config.publicUrl, { id, purpose });
  return textOf(row, config.publicUrl, link);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// Delay after each failed attempt: ten attempts over about a day.
const delays = [
  20 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  3 * hour,
  8 * hour,
  12 * hour,
];

/** Returns the time of the next attempt after this many failures; undefined when attempts are exhausted. */
function nextAttempt(attempts: number, now: Date): Date | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : new Date(now.getTime() + delay);
}

const day = 24 * 3_600_000;
/** Days that mails are kept: the sandbox mailbox with texts, elsewhere only the record that a mail was sent. */
const keptDays = { mailbox: 7, notes: 90 };

/** Deletes old mails and expired links. */
export async function pruneMails({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now();
  const days = config.mail.goes === 'to the mailbox' ? keptDays.mailbox : keptDays.notes;
  await deleteMails(db, new Date(now.getTime() - days * day));
  await deleteLinks(db, now);
}
