import { brlFromCents, type LiveMessage } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { packAnnouncements } from './announcement.ts';
import type { OutboxMessage } from './outbox.ts';
import { notifyScreens, readAvailableCents, takeMessages, waitForTurn } from './store.ts';

/** As many rows of messages as one transaction announces. */
export const ANNOUNCED_AT_ONCE = 500;

/**
 * Announces what was written and committed, oldest first, and to each merchant it concerns their balance after it.
 * Answers how many rows it took.
 */
export async function announce({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<number> {
  return inTransaction({ db, clock }, async (tx) => {
    // One announcer at a time: of two, one could read the older balance and announce it later.
    await waitForTurn(tx);
    const taken = await takeMessages(tx, ANNOUNCED_AT_ONCE);
    if (taken.length === 0) return 0;
    const messages = taken.flat();
    const merchantIds = [...new Set(messages.map(({ merchantId }) => merchantId))];
    const balances = await readAvailableCents(tx, merchantIds);
    const { payloads, tooLong } = packAnnouncements([...messages, ...balances.map(balanceMessage)]);
    // Screens read everything anew when they connect, so such a message is late for them, not lost.
    if (tooLong > 0) log.error({ tooLong }, 'messages to screens are too long to be announced');
    await notifyScreens(tx, payloads);
    return taken.length;
  });
}

function balanceMessage({ merchantId, cents }: { merchantId: number; cents: number }): OutboxMessage {
  const message: LiveMessage = { type: 'balance', balance: brlFromCents(cents) };
  return { merchantId, message };
}
