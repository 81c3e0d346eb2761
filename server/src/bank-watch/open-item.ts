import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { notifyAdministrators, retractAdministratorNotifications } from '../notifications/index.ts';

/** What the operator may have to look at. */
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
  /** What it speaks of: an id of ours or of the bank's. One item of a kind is open at a time for it. */
  readonly reference: string;
  /** 0 or left out: nobody's in particular. */
  readonly merchantId?: number;
  /** What an operator needs to judge it. Amounts in integer cents. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/**
 * Puts something before the operator. One that stands open already only takes the newest detail, and what an
 * administrator has closed stays closed while it is told with the same detail. Answers whether it was opened now: whoever
 * asked then logs it as an error, once the transaction is committed.
 */
export async function openItem(tx: Tx, item: NewOpenItem): Promise<boolean> {
  return (await openItemReturningPrevious(tx, item)) === 'opened';
}

/** The same, and tells what stood before: `explained` is what an administrator has closed. */
export async function openItemReturningPrevious(
  tx: Tx,
  item: NewOpenItem,
): Promise<'opened' | 'standing' | 'explained'> {
  const { rows } = await sql<{ opened: boolean }>`
    insert into open_items (id, kind, reference, merchant_id, detail, opened_at, seen_at)
    select ${randomUUID()}, kind, reference, ${item.merchantId ?? 0}, detail, ${tx.now}, ${tx.now}
    from (values (${item.kind}::text, ${item.reference}::text, ${JSON.stringify(item.detail)}::jsonb))
      told (kind, reference, detail)
    where not exists (
      select from open_items known
      where known.kind = told.kind and known.reference = told.reference and known.closed_by is not null
        and known.detail = told.detail)
    on conflict (kind, reference) where closed_at is null do update
    set detail = excluded.detail, seen_at = excluded.seen_at
    returning xmax = 0 as opened
  `.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return 'explained';
  if (!row.opened) return 'standing';
  await tellOf(tx, item.kind);
  return 'opened';
}

/** Where money waits for an operator. Of a balance too low they hear as payouts stop; the others are found in the list. */
const stopped: Partial<Record<OpenItemKind, string>> = {
  'withdrawal-in-doubt': 'Ninguém sabe o que foi feito de um saque que o banco recebeu há uma hora.',
  'withdrawal-differs':
    'O banco conta outra coisa de um saque. Os envios não são retomados enquanto isto ficar aberto.',
  'payout-not-debited': 'Os livros não debitaram o dinheiro de um Pix que saiu ou sairia da conta.',
  'refund-in-doubt': 'Ninguém sabe o que foi feito de um estorno que o banco recebeu há uma hora.',
  'refund-differs': 'O banco conta outra coisa de um estorno.',
  'refund-not-debited': 'Um estorno não saiu: os livros não debitaram o dinheiro dele.',
  'dispute-unknown-pix': 'Um pagador contesta um Pix sem dono: ninguém o defende e nada está bloqueado.',
};

async function tellOf(tx: Tx, kind: OpenItemKind): Promise<void> {
  const why = stopped[kind];
  if (why === undefined) return;
  const body = `${why} Veja em Conciliação.`;
  await notifyAdministrators(tx, { type: `operation.${kind}`, title: 'Dinheiro parado', body, hourly: true });
}

export type ItemClosure = {
  readonly kind: OpenItemKind;
  readonly reference: string;
  /** What was seen that ends it. */
  readonly evidence: string;
  /** The administrator who says so; left out where the gateway found out by itself. */
  readonly closedBy?: number;
};

/** Ends an item whose cause is gone. Answers whether one was open. */
export async function closeItem(
  tx: Tx,
  { kind, reference, evidence, closedBy }: ItemClosure,
): Promise<boolean> {
  const { rows } = await sql`
    update open_items set closed_at = ${tx.now}, closed_by = ${closedBy ?? null}, evidence = ${evidence}
    where kind = ${kind} and reference = ${reference} and closed_at is null
    returning id
  `.execute(tx.db);
  if (rows.length > 0) await retractItemNotifications(tx, kind);
  return rows.length > 0;
}

/** Once the last item of a kind is closed, nobody need read any more that there was one. */
export async function retractItemNotifications(tx: Tx, kind: string): Promise<void> {
  if (!Object.hasOwn(stopped, kind)) return;
  const { rows } =
    await sql`select from open_items where kind = ${kind} and closed_at is null limit 1`.execute(tx.db);
  if (rows.length === 0) await retractAdministratorNotifications(tx, `operation.${kind}`);
}

/** Ends what a comparison of a day with the bank's lists did not find again. */
export async function closeItemsNotFoundAgain(tx: Tx, day: string, since: Date): Promise<void> {
  await sql`
    update open_items set closed_at = ${tx.now}, evidence = 'The day was compared again, and agrees.'
    where closed_at is null and kind in ('received-differs', 'returned-differs', 'sent-differs')
      and detail ->> 'day' = ${day} and seen_at < ${since}
  `.execute(tx.db);
}
