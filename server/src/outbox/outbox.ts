import type { LiveMessage } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
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
  await sql`select ${buildMessagesSql(tx, messages)}`.execute(tx.db);
}

type ChangedKind = Extract<LiveMessage, { type: 'change' }>['of'];
const shownChanges = new WeakMap<Tx['db'], Set<string>>();

/** Makes the open screens of an account refetch something that this transaction changes; however often, once. */
export function showChange(tx: Tx, merchantId: number, of: ChangedKind): void {
  const shown = shownChanges.get(tx.db) ?? new Set();
  shownChanges.set(tx.db, shown);
  const change = `${merchantId} ${of}`;
  if (shown.has(change)) return;
  shown.add(change);
  tx.beforeCommit(() => writeMessages(tx, [{ merchantId, message: { type: 'change', of } }]));
}

/** Returns the SQL call by which `writeMessages` works, for the caller to include in its own statement. */
export function buildMessagesSql(tx: Tx, messages: readonly OutboxMessage[]): RawBuilder<boolean> {
  tx.wakeAfterCommit();
  const payloads = packMessages(messages);
  // Each message in a payload is JSON on one line, so nothing needs escaping.
  return sql`write_messages(
    payloads => ${payloads.map(({ payload }) => payload ?? '').join('\n\n')}::text,
    merchant_lists => ${payloads.map(({ merchantIds }) => numberArray(merchantIds)).join(' ')}::text)`;
}
