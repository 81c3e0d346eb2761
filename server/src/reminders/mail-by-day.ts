import { calendarDayOf, nightStartHour, timeAtHour } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { readMerchant } from '../identity/index.ts';
import { isMailEnabled } from '../mail/index.ts';
import { canReceivePayments } from '../payments/index.ts';
import { workOnEachAlone } from '../work-alone.ts';

/** Customers get mails from this hour on until the night, in Brasília. */
const morningHour = 8;

/** How many mails of one account are written at a time. */
export const batchSize = 50;

type MailsOfAccounts<Account> = {
  /** Which mails, for the log. */
  readonly about: string;
  /** The accounts that send them. */
  readonly select: (db: Db) => Promise<readonly Account[]>;
  /** Writes some mails of an account, and returns how many. `day`: today. */
  readonly write: (account: Account, day: string) => Promise<number>;
};

/**
 * Writes mails to the customers of each account that can receive payments, by day only, and none if the gateway sends no
 * mails. Returns how many were written.
 */
export async function mailByDay<Account extends { readonly merchantId: number }>(
  { db, clock, config, log }: Pick<Deps, 'db' | 'clock' | 'log' | 'config'>,
  { about, select, write }: MailsOfAccounts<Account>,
): Promise<number> {
  if (!isMailEnabled(config)) return 0;
  const now = clock.now();
  const day = calendarDayOf(now);
  if (now < timeAtHour(day, morningHour) || now >= timeAtHour(day, nightStartHour)) return 0;
  let written = 0;
  await workOnEachAlone(log, await select(db), {
    async work(account) {
      const merchant = await readMerchant(db, account.merchantId);
      if (merchant !== undefined && canReceivePayments(merchant)) written += await write(account, day);
    },
    describe: ({ merchantId }) => ({ merchantId, about, day }),
  });
  return written;
}
