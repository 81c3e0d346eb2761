// Open items are discrepancies that the operator examines and closes with evidence. Every module that finds a
// discrepancy opens an item about it.

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { notifyAdministrators, retractAdministratorNotifications } from '../notifications/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { AccountDay } from './day-store.ts';

/** The kinds of problem that an operator may have to resolve. */
export type OpenItemKind =
  | 'withdrawal-in-doubt'
  | 'withdrawal-differs'
  | 'payout-not-debited'
  | 'refund-in-doubt'
  | 'refund-differs'
  | 'refund-not-debited'
  | 'dispute-unknown-pix'
  | 'dispute-differs'
  | 'bank-balance-low'
  | 'received-differs'
  | 'returned-differs'
  | 'sent-differs'
  | 'balance-differs';

export type NewOpenItem = {
  readonly kind: OpenItemKind;
  /** The account at which the discrepancy was found. */
  readonly connectionId: number;
  /** The id, ours or the bank's, of what the item is about. At most one item is open per account, kind and reference. */
  readonly reference: string;
  /** 0 or omitted if the item concerns no particular merchant. */
  readonly merchantId?: number;
  /** The facts that an operator needs. Amounts in integer cents. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/**
 * Opens an item for the operator. If the item is already open, only its detail is updated. If an administrator closed
 * an item with the same detail, none is opened. Returns whether an item was opened now: the caller then logs an error
 * after the commit.
 */
export async function openItem(tx: Tx, item: NewOpenItem): Promise<boolean> {
  return (await openItemWithState(tx, item)) === 'new';
}

/**
 * Opens or updates an item by the rules of `openItem`. Returns the item's state: `new` if it was opened now, `open` if
 * it was open before, `explained` if an administrator has closed an item with the same detail.
 */
export async function openItemWithState(tx: Tx, item: NewOpenItem): Promise<'new' | 'open' | 'explained'> {
  const { kind, reference, connectionId, merchantId = PLATFORM } = item;
  const detail = connectionId === HOUSE_CONNECTION ? item.detail : { account: connectionId, ...item.detail };
  // `xmax` is 0 in a row that was inserted, and not in one that `on conflict` updated.
  const { rows } = await sql<{ opened: boolean }>`
    insert into open_items (id, connection_id, kind, reference, merchant_id, detail, opened_at, seen_at)
    select ${randomUUID()}, connection_id, kind, reference, ${merchantId}, detail, ${tx.now}, ${tx.now}
    from (values (${connectionId}::int, ${kind}::text, ${reference}::text, ${JSON.stringify(detail)}::jsonb))
      new_item (connection_id, kind, reference, detail)
    where not exists (
      select from open_items explained
      where explained.connection_id = new_item.connection_id and explained.kind = new_item.kind
        and explained.reference = new_item.reference
        and explained.closed_by is not null and explained.detail = new_item.detail)
    on conflict (connection_id, kind, reference) where closed_at is null do update
    set detail = excluded.detail, seen_at = excluded.seen_at
    returning xmax = 0 as opened
  `.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return 'explained';
  if (!row.opened) return 'open';
  await notifyOperator(tx, kind);
  return 'new';
}

/**
 * The text of the notification for each kind that leaves money waiting for the operator. A low balance is not among
 * them, because stopping the payouts sends a notification already. Items of other kinds appear only in the list.
 */
const notificationTexts: Partial<Record<OpenItemKind, string>> = {
  'withdrawal-in-doubt': 'Ninguém sabe o que foi feito de um saque que o banco recebeu há uma hora.',
  'withdrawal-differs':
    'O banco conta outra coisa de um saque. Os envios não são retomados enquanto isto ficar aberto.',
  'payout-not-debited': 'Os livros não debitaram o dinheiro de um Pix que saiu ou sairia da conta.',
  'refund-in-doubt': 'Ninguém sabe o que foi feito de um estorno que o banco recebeu há uma hora.',
  'refund-differs': 'O banco conta outra coisa de um estorno.',
  'refund-not-debited': 'Um estorno não saiu: os livros não debitaram o dinheiro dele.',
  'dispute-unknown-pix': 'Um pagador contesta um Pix sem dono: ninguém o defende e nada está bloqueado.',
};

async function notifyOperator(tx: Tx, kind: OpenItemKind): Promise<void> {
  const text = notificationTexts[kind];
  if (text === undefined) return;
  const body = `${text} Veja em Conciliação.`;
  await notifyAdministrators(tx, { type: `operation.${kind}`, title: 'Dinheiro parado', body, hourly: true });
}

export type ItemClosure = {
  readonly kind: OpenItemKind;
  /** The account at which the discrepancy was found. */
  readonly connectionId: number;
  readonly reference: string;
  /** The finding that resolves the item. */
  readonly evidence: string;
  /** The administrator who closes the item; omitted if the gateway closes it itself. */
  readonly closedBy?: number;
};

/** Closes an item whose cause is gone. Returns whether such an item was open. */
export async function closeItem(
  tx: Tx,
  { kind, connectionId, reference, evidence, closedBy }: ItemClosure,
): Promise<boolean> {
  const { rows } = await sql`
    update open_items set closed_at = ${tx.now}, closed_by = ${closedBy ?? null}, evidence = ${evidence}
    where connection_id = ${connectionId} and kind = ${kind} and reference = ${reference} and closed_at is null
    returning id
  `.execute(tx.db);
  if (rows.length > 0) await retractItemNotifications(tx, kind);
  return rows.length > 0;
}

/** Marks the notifications about a kind of item as read once no item of that kind is open. */
export async function retractItemNotifications(tx: Tx, kind: string): Promise<void> {
  if (!Object.hasOwn(notificationTexts, kind)) return;
  const { rows } =
    await sql`select from open_items where kind = ${kind} and closed_at is null limit 1`.execute(tx.db);
  if (rows.length === 0) await retractAdministratorNotifications(tx, `operation.${kind}`);
}

/** Closes the open items of an account's day if its comparison, started at `since`, did not find their difference again. */
export async function closeResolvedDayItems(
  tx: Tx,
  { connectionId, day }: AccountDay,
  since: Date,
): Promise<void> {
  await sql`
    update open_items set closed_at = ${tx.now}, evidence = 'The day was compared again, and agrees.'
    where closed_at is null and connection_id = ${connectionId}
      and kind in ('received-differs', 'returned-differs', 'sent-differs')
      and detail ->> 'day' = ${day} and seen_at < ${since}
  `.execute(tx.db);
}
