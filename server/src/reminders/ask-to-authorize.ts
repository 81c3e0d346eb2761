import { REMINDER_LIMITS } from '@jangada/contract';
import { nightStartHour, startOfDay, timeAtHour } from '../calendar-day.ts';
import { readPayee } from '../checkout/index.ts';
import { addMs } from '../clock.ts';
import { customerPageUrl, stopRemindersUrl } from '../customers/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { writeMail } from '../mail/index.ts';
import { dueDayOf, firstCycleInTime, subscriptionPageUrl } from '../subscriptions/index.ts';
import { composeAuthorizationRequest } from './authorization-mail.ts';
import {
  type AskingAccount,
  type AuthorizationRequestKind,
  authorizationRequestKinds,
  selectAddressesAsked,
  selectAskingAccounts,
  selectUnauthorized,
  type Unauthorized,
} from './authorization-store.ts';
import { countDebitReminders, insertDebitReminders } from './debit-reminder-store.ts';
import { batchSize, mailByDay } from './mail-by-day.ts';

const dayMs = 86_400_000;
/** A customer is not asked about an older code: the mails were off when it came to be, or nothing ran. */
const newsMs = 7 * dayMs;
/** The second request comes this long after the first one, */
const againAfterMs = 3 * dayMs;
/** but not about a code that is older than this. */
const newsAgainMs = 14 * dayMs;

/**
 * Asks customers by mail to authorise the debits of subscriptions made for them, by day only, and once more three days
 * later if they have not. An address gets one request of an account a day. Returns how many mails it wrote.
 */
export async function askToAuthorize(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'config'>): Promise<number> {
  return mailByDay(deps, {
    about: 'authorization requests',
    select: selectAskingAccounts,
    async write(account, day) {
      let written = 0;
      for (const kind of authorizationRequestKinds)
        written += await inTransaction(deps, (tx) => ask(tx, deps.config.publicUrl, { account, kind, day }));
      return written;
    },
  });
}

type Request = {
  readonly account: AskingAccount;
  readonly kind: AuthorizationRequestKind;
  readonly day: string;
};

async function ask(tx: Tx, publicUrl: string, { account, kind, day }: Request): Promise<number> {
  const { merchantId, mails } = account;
  const today = { merchantId, kinds: authorizationRequestKinds, since: startOfDay(day) };
  const left = REMINDER_LIMITS.perDay - (await countDebitReminders(tx.db, today));
  if (left <= 0) return 0;
  const found = await findToAsk(tx, { account, kind, day }, Math.min(batchSize, left));
  const reminders = found.map((subscription) => ({ ...subscription, number: 0 }));
  const ours = await insertDebitReminders(tx, merchantId, kind, reminders);
  if (ours.size === 0) return 0;
  const payee = await readPayee(tx.db, merchantId);
  for (const subscription of found.filter(({ subscriptionId }) => ours.has(subscriptionId)))
    await writeMail(tx, {
      userId: merchantId,
      kind: 'reminder',
      to: subscription.email,
      ...composeAuthorizationRequest(mails, {
        ...subscription,
        payeeName: payee.name,
        dueDate: subscription.nextDay,
        chargeUrl: subscriptionPageUrl(publicUrl, subscription),
        pageUrl: customerPageUrl(publicUrl, subscription),
        stopUrl: stopRemindersUrl(publicUrl, subscription),
      }),
      subscriptionId: subscription.subscriptionId,
      uselessAfter: timeAtHour(day, nightStartHour),
    });
  return ours.size;
}

/**
 * Finds the subscriptions whose customers are asked next, one for each address that got no request today, with the first
 * day on which a debit can still be made. Those that have no such day any more are left out.
 */
async function findToAsk(tx: Tx, { account: { merchantId }, kind, day }: Request, limit: number) {
  const when =
    kind === 'authorization'
      ? { since: addMs(tx.now, -newsMs) }
      : { since: addMs(tx.now, -newsAgainMs), askedBefore: addMs(tx.now, -againAfterMs) };
  const askedToday = await selectAddressesAsked(tx.db, merchantId, startOfDay(day));
  const addresses = new Set(askedToday.map((email) => email.toLowerCase()));
  const found: (Unauthorized & { readonly nextDay: string })[] = [];
  let after: Unauthorized | undefined;
  do {
    const waiting = await selectUnauthorized(tx.db, { merchantId, kind, ...when, after, limit: batchSize });
    for (const subscription of waiting) {
      const nextDay = dueDayOf(subscription, firstCycleInTime(subscription, day));
      const isOver = subscription.lastDay !== null && nextDay > subscription.lastDay;
      const address = subscription.email.toLowerCase();
      if (isOver || addresses.has(address) || found.length === limit) continue;
      addresses.add(address);
      found.push({ ...subscription, nextDay });
    }
    after = waiting.length < batchSize ? undefined : waiting.at(-1);
  } while (after !== undefined && found.length < limit);
  return found;
}
