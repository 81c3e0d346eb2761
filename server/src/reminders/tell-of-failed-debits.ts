import { type FailedDebitMails, REMINDER_LIMITS } from '@jangada/contract';
import { nightStartHour, startOfDay, timeAtHour } from '../calendar-day.ts';
import { readPayee } from '../checkout/index.ts';
import { addMs } from '../clock.ts';
import { customerPageUrl, stopRemindersUrl } from '../customers/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { writeMail } from '../mail/index.ts';
import { type Charge, checkoutUrl } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { chargeCycle, subscriptionPageUrl } from '../subscriptions/index.ts';
import { countDebitReminders, insertDebitReminders } from './debit-reminder-store.ts';
import { composeFailedDebit } from './failed-debit-mail.ts';
import {
  type FailedDebit,
  type FailedDebitKind,
  failedDebitKinds,
  selectFailedDebits,
  selectTellingOfDebits,
} from './failed-debit-store.ts';
import { batchSize, mailByDay } from './mail-by-day.ts';

/** A customer is not told of what failed longer ago: the mails were off then, or nothing ran. */
const newsMs = 2 * 86_400_000;

type Telling = {
  readonly merchantId: number;
  readonly mails: FailedDebitMails;
  readonly kind: FailedDebitKind;
  readonly day: string;
};

/**
 * Tells customers by mail of debits that failed, by day only, once each. When no try follows, the mail leads to a charge
 * with a code that pays the cycle. While the bank tries again, it leads to the page that says when, and to no charge: a
 * try that was ordered cannot be taken back, and would be paid twice. Returns how many mails it wrote.
 */
export async function tellOfFailedDebits(deps: Deps): Promise<number> {
  return mailByDay(deps, {
    about: 'failed debits',
    select: selectTellingOfDebits,
    async write({ merchantId, mails }, day) {
      const given = mails.active ? await tell(deps, { merchantId, mails, kind: 'given_up', day }) : 0;
      const warned = mails.warns ? await tell(deps, { merchantId, mails, kind: 'warning', day }) : 0;
      return given + warned;
    },
  });
}

async function tell(deps: Deps, telling: Telling): Promise<number> {
  const { merchantId, kind, day } = telling;
  const told = { merchantId, kinds: failedDebitKinds, since: startOfDay(day) };
  const left = REMINDER_LIMITS.perDay - (await countDebitReminders(deps.db, told));
  if (left <= 0) return 0;
  const since = addMs(deps.clock.now(), -newsMs);
  const limit = Math.min(batchSize, left);
  let written = 0;
  for (const debit of await selectFailedDebits(deps.db, { merchantId, kind, since, limit })) {
    const charge = kind === 'given_up' ? await chargeFor(deps, merchantId, debit) : undefined;
    if (kind === 'given_up' && charge === undefined) continue;
    if (await writeOnce(deps, telling, debit, charge)) written += 1;
  }
  return written;
}

/** The charge that pays the cycle; undefined if there can be none now. It is asked for again a minute later. */
async function chargeFor(deps: Deps, merchantId: number, debit: FailedDebit): Promise<Charge | undefined> {
  const { subscriptionId, number } = debit;
  try {
    return await chargeCycle(deps, { merchantId, subscriptionId, number });
  } catch (err) {
    if (!(err instanceof Refusal)) throw err;
    deps.log.warn({ err, subscriptionId, number }, 'no charge could be made for a debit that failed');
    return undefined;
  }
}

async function writeOnce(
  deps: Deps,
  { merchantId, mails, kind, day }: Telling,
  { subscriptionId, number }: FailedDebit,
  charge: Charge | undefined,
): Promise<boolean> {
  const { publicUrl } = deps.config;
  return inTransaction(deps, async (tx) => {
    // Read again: the cycle may have been paid while its charge was made.
    const since = addMs(tx.now, -newsMs);
    const only = { subscriptionId, number };
    const [debit] = await selectFailedDebits(tx.db, { merchantId, kind, since, limit: 1 }, only);
    if (debit === undefined) return false;
    const ours = await insertDebitReminders(tx, merchantId, kind, [debit]);
    if (ours.size === 0) return false;
    const chargeId = charge?.id ?? debit.chargeId;
    if (chargeId === null) return false;
    const payee = await readPayee(tx.db, merchantId);
    const facts = {
      customerName: debit.customerName,
      description: debit.description,
      payeeName: payee.name,
      amountCents: debit.amountCents,
      dueDate: debit.dueDay,
      chargeUrl:
        charge === undefined ? subscriptionPageUrl(publicUrl, debit) : checkoutUrl(publicUrl, charge),
      pageUrl: customerPageUrl(publicUrl, debit),
      stopUrl: stopRemindersUrl(publicUrl, debit),
    };
    await writeMail(tx, {
      userId: merchantId,
      kind: 'reminder',
      to: debit.email,
      ...composeFailedDebit(mails, facts, debit.nextTryDay ?? undefined),
      chargeId,
      uselessAfter: timeAtHour(day, nightStartHour),
    });
    return true;
  });
}
