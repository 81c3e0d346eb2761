import type { LiveMessage } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';

/** What a change causes for others is written in its transaction and announced after it. */
export type Outbox = {
  /** Says that something was committed: announced at once, together with what others committed meanwhile. */
  wake(): void;
};

export type OutboxMessage = { readonly merchantId: number; readonly message: LiveMessage };

/** Writes messages to the open screens of merchants, all in one statement. */
export async function writeMessages(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.db
    .insertInto('outbox')
    .values(
      messages.map(({ merchantId, message }) => ({
        merchant_id: merchantId,
        message: JSON.stringify(message),
        created_at: tx.now,
      })),
    )
    .execute();
}
