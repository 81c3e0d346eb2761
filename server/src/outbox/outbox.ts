import type { LiveMessage } from '@jangada/contract';
import { sql } from 'kysely';
import { numbers } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { packMessages } from './announcement.ts';

export type OutboxMessage = { readonly merchantId: number; readonly message: LiveMessage };

/**
 * Writes messages to the open screens of merchants, all in one statement and packed as they will be announced: a row
 * is what one NOTIFY carries. Those of one merchant keep their order.
 */
export async function writeMessages(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  tx.wakeAfterCommit();
  const parcels = packMessages(messages);
  // JSON on lines of their own: an empty line parts the payloads, and nothing in them needs escaping.
  await sql`
    insert into outbox (payload, merchant_ids)
    select payload, merchant_ids::bigint[]
    from rows from (
      string_to_table(${parcels.map(({ payload }) => payload ?? '').join('\n\n')}, E'\\n\\n', ''),
      string_to_table(${parcels.map(({ merchantIds }) => numbers(merchantIds)).join(' ')}, ' ')
    ) parcel (payload, merchant_ids)
  `.execute(tx.db);
}
