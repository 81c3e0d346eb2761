import { brlFromCents, type LiveMessage } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { packMessages } from './announcement.ts';
import type { OutboxMessage } from './outbox.ts';
import { announceAndDeleteRows, lockAnnouncing, notifyScreens, readAvailableCents } from './store.ts';

/** How many rows of messages one transaction announces at most. */
export const ANNOUNCED_AT_ONCE = 500;

/**
 * Announces committed messages to the processes that serve open screens, the oldest first, and deletes them; then
 * announces the current balance of each merchant concerned. Returns how many rows of messages it announced.
 */
export async function announce({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<number> {
  return inTransaction({ db, clock }, async (tx) => {
    // Only one process announces at a time. Of two, the one that read a balance first could announce it last, and
    // screens would show the old balance.
    await lockAnnouncing(tx);
    const announcedRows = await announceAndDeleteRows(tx, ANNOUNCED_AT_ONCE);
    if (announcedRows.length === 0) return 0;
    const tooLongCount = announcedRows.filter((row) => row.tooLong).length;
    // A message that is too long is not sent, but its change is not lost: screens reload everything when they
    // reconnect.
    if (tooLongCount > 0) log.error({ tooLong: tooLongCount }, 'messages to screens are too long for NOTIFY');
    const merchantIds = [...new Set(announcedRows.flatMap((row) => row.merchantIds))];
    const balances = packMessages((await readAvailableCents(tx, merchantIds)).map(balanceMessage));
    await notifyScreens(
      tx,
      balances.flatMap(({ payload }) => payload ?? []),
    );
    return announcedRows.length;
  });
}

function balanceMessage(balance: { merchantId: number; cents: number | null }): OutboxMessage {
  const { merchantId, cents } = balance;
  // With `account`, screens read the account again, and its balance.
  const message: LiveMessage =
    cents === null ? { type: 'account' } : { type: 'balance', balance: brlFromCents(cents) };
  return { merchantId, message };
}
