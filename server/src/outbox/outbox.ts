import type { LiveMessage } from '@jangada/contract';
import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';

/** What a change causes for others is written in its transaction and announced after it. */
export type Outbox = {
  /** Says that something was committed: announced at once, together with what others committed meanwhile. */
  wake(): void;
};

export type OutboxMessage = { readonly merchantId: number; readonly message: LiveMessage };

/** Writes messages to the open screens of merchants, all in one statement; those of one merchant keep their order. */
export async function writeMessages(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const told = [...Map.groupBy(messages, ({ merchantId }) => merchantId)];
  await sql`
    insert into outbox (merchant_id, messages, created_at)
    select merchant_id, messages, ${tx.now}
    from unnest(
      ${told.map(([merchantId]) => merchantId)}::bigint[],
      ${told.map(([, ofMerchant]) => JSON.stringify(ofMerchant.map(({ message }) => message)))}::json[]
    ) told (merchant_id, messages)
  `.execute(tx.db);
}
