import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import { linkAddress } from './link.ts';
import { textOf } from './mail.ts';
import { nextAttempt } from './retry-schedule.ts';
import { createSmtp, type SendBySmtp, SmtpRefusal } from './smtp.ts';
import { claimMails, deleteDueMails, type MailChange, type MailRow, updateMail } from './store.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config' | 'secrets'>;

const atOnce = 4;
/** Above the longest time that sending may take. */
const leaseMs = 90_000;

/**
 * Sends mails that are due and answers how many were. A mail is noted as sent after the server took it: should the
 * process die between the two it goes out again, under the same Message-ID.
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
  await mapBounded(claimed, atOnce, async (row) => {
    const change = await deliver(deps, row, send);
    await updateMail(deps.db, row.id, change);
  });
  return claimed.length;
}

/** Without `send` it is kept for the mailbox. */
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

/** Neither what the server answered nor the address: the one may repeat the other, and the log is no place for it. */
function failed({ log, clock }: MailDeps, { id, kind, attempts }: MailRow, error: unknown): MailChange {
  const { reason, isFinal } = error instanceof SmtpRefusal ? error : unforeseen(error);
  const next = isFinal ? undefined : nextAttempt(attempts, clock.now());
  log.warn({ mail: id, kind, attempts, reason, givenUp: next === undefined }, 'a mail was not sent');
  return next === undefined ? { due_at: null, body: null, error: reason } : { due_at: next, error: reason };
}

/** A mail that cannot be made, or a fault of ours: it comes to an end as those do that a server refuses. */
function unforeseen(error: unknown): Pick<SmtpRefusal, 'reason' | 'isFinal'> {
  return { reason: error instanceof Error ? error.name : typeof error, isFinal: false };
}

export function wholeText({ config, secrets }: Pick<Deps, 'config' | 'secrets'>, row: MailRow): string {
  const { linkId: id, linkPurpose: purpose } = row;
  const link =
    id === null || purpose === null ? undefined : linkAddress(secrets, config.publicUrl, { id, purpose });
  return textOf(row, config.publicUrl, link);
}
