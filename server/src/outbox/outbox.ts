import type { LiveMessage } from '@jangada/contract';
import { sql } from 'kysely';
import { numbers } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { packMessages } from './announcement.ts';

/** A message for the open screens of a merchant. */
export type OutboxMessage = { readonly merchantId: number; readonly message: LiveMessage };

/**
 * Stores messages for open screens, which are announced after the commit. All messages are written in one statement, in
 * rows that each contain the payload of one NOTIFY. The messages stay in order.
 */
export async function writeMessages(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  tx.wakeAfterCommit();
  const payloads = packMessages(messages);
  // An empty line separates the payloads. Each message in a payload is JSON on one line, so nothing needs escaping.
  await sql`
    insert into outbox (payload, merchant_ids)
    select payload, merchant_ids::bigint[]
    from rows from (
      string_to_table(${payloads.map(({ payload }) => payload ?? '').join('\n\n')}, E'\\n\\n', ''),
      string_to_table(${payloads.map(({ merchantIds }) => numbers(merchantIds)).join(' ')}, ' ')
    ) parcel (payload, merchant_ids)
  `.execute(tx.db);
}
