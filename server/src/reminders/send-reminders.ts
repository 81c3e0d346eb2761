import { REMINDER_LIMITS } from '@jangada/contract';
import { predictDueAmount } from '@jangada/pix';
import { daysAfter, nightStartHour, startOfDay, timeAtHour } from '../calendar-day.ts';
import { readPayee } from '../checkout/index.ts';
import { customerPageUrl, stopRemindersUrl } from '../customers/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { checkoutUrl, readDues } from '../payments/index.ts';
import { batchSize, mailByDay } from './mail-by-day.ts';
import { composeReminder } from './reminder-mail.ts';
import {
  countReminders,
  insertReminders,
  type ReminderPlan,
  selectReminding,
  selectToRemind,
} from './store.ts';

type ReminderDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config'>;

/**
 * Writes the reminders of today that are not written yet, by day only, some for each account. Returns how many it wrote.
 */
export async function sendReminders(deps: ReminderDeps): Promise<number> {
  return mailByDay(deps, {
    about: 'reminders',
    select: selectReminding,
    write: (settings, day) =>
      inTransaction(deps, (tx) => remindCustomersOf(tx, deps.config.publicUrl, settings, day)),
  });
}

async function remindCustomersOf(
  tx: Tx,
  publicUrl: string,
  settings: ReminderPlan & { readonly merchantId: number },
  day: string,
): Promise<number> {
  const { merchantId, days } = settings;
  const left = REMINDER_LIMITS.perDay - (await countReminders(tx.db, merchantId, startOfDay(day)));
  if (left <= 0) return 0;
  const dueDates = days.map((distance) => daysAfter(day, -distance));
  const limit = Math.min(batchSize, left);
  const candidates = await selectToRemind(tx, merchantId, { dueDates, day, limit });
  if (candidates.length === 0) return 0;
  const ours = await insertReminders(tx, merchantId, day, candidates);
  const charges = candidates.filter(({ id }) => ours.has(id));
  const dues = await readDues(tx.db, merchantId, charges);
  const payee = await readPayee(tx.db, merchantId);
  for (const charge of charges) {
    const due = dues.get(charge.id)?.due;
    invariant(due !== undefined && charge.email !== null, 'a reminder has a due date and an address');
    const facts = {
      customerName: charge.customerName,
      payeeName: payee.name,
      amountCents: predictDueAmount(due, day)?.finalCents ?? charge.amountCents,
      dueDate: due.dueDate,
      chargeUrl: checkoutUrl(publicUrl, charge),
      pageUrl: customerPageUrl(publicUrl, charge),
      stopUrl: stopRemindersUrl(publicUrl, charge),
    };
    await writeMail(tx, {
      userId: merchantId,
      kind: 'reminder',
      to: charge.email,
      ...composeReminder(settings, facts),
      chargeId: charge.id,
      uselessAfter: timeAtHour(day, nightStartHour),
    });
  }
  if (charges.length > 0 && charges.length >= left) await tellOfLimit(tx, merchantId, { dueDates, day });
  return charges.length;
}

/** Tells the merchant that today's reminders have reached their limit, if charges are left of which nobody is reminded. */
async function tellOfLimit(
  tx: Tx,
  merchantId: number,
  days: { readonly dueDates: readonly string[]; readonly day: string },
): Promise<void> {
  const unreminded = await selectToRemind(tx, merchantId, { ...days, limit: 1 });
  if (unreminded.length === 0) return;
  const sent = REMINDER_LIMITS.perDay.toLocaleString('pt-BR');
  const messages = await saveNotifications(tx, [
    {
      merchantId,
      title: 'Nem todos os lembretes saíram hoje',
      body: `Uma conta envia até ${sent} lembretes por dia, e os de hoje já saíram. As outras cobranças que pediam um lembrete hoje ficam sem ele.`,
      data: { type: 'reminders.limit' },
    },
  ]);
  await writeMessages(tx, messages);
}
