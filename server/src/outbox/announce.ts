import { brlFromCents, type LiveMessage } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { packMessages } from './announcement.ts';
import type { OutboxMessage } from './outbox.ts';
import { lockAnnouncing, notifyScreens, passMessagesOn, readAvailableCents } from './store.ts';

/** The most message rows that one transaction announces. */
export const ANNOUNCED_AT_ONCE = 500;

/**
 * Announces committed messages, oldest first, and to each merchant concerned their balance after them.
 * Returns how many rows it took.
 */
export async function announce({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<number> {
  return inTransaction({ db, clock }, async (tx) => {
    // One announcer at a time: of two, one could read the older balance and announce it later.
    await lockAnnouncing(tx);
    const passed = await passMessagesOn(tx, ANNOUNCED_AT_ONCE);
    if (passed.length === 0) return 0;
    const tooLong = passed.filter((row) => row.tooLong).length;
    // Screens reload everything when they connect, so such a message is late for them, not lost.
    if (tooLong > 0) log.error({ tooLong }, 'messages to screens are too long for NOTIFY');
    const merchantIds = [...new Set(passed.flatMap((row) => row.merchantIds))];
    const balances = packMessages((await readAvailableCents(tx, merchantIds)).map(balanceMessage));
    await notifyScreens(
      tx,
      balances.flatMap(({ payload }) => payload ?? []),
    );
    return passed.length;
  });
}

function balanceMessage({ merchantId, cents }: { merchantId: number; cents: number }): OutboxMessage {
  const message: LiveMessage = { type: 'balance', balance: brlFromCents(cents) };
  return { merchantId, message };
}
