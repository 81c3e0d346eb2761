// The life that payouts and refunds share as orders to the bank: each is sent once, looked up while its outcome is
// unknown, and sent again only where that cannot pay twice.
import { insertAuditEntry } from './audit/index.ts';
import { closeItem, isBankInDoubt, openItem } from './bank-watch/index.ts';
import { after } from './clock.ts';
import { inTransaction, type KeyedTx, type Tx } from './db/transaction.ts';
import type { Deps } from './deps.ts';
import { readMerchant } from './identity/index.ts';
import { PspRefused } from './psp/index.ts';

/** What is known of an order to the bank. */
export type BankOrder = {
  readonly merchantId: number;
  readonly id: string;
  readonly sends: number;
  /** Since the last send: the number of look-ups, and how many of them the bank answered with not found. */
  readonly lookups: number;
  readonly notFound: number;
  readonly lastSentAt: Date | null;
  /** Since when it has been sent without a known outcome. */
  readonly unknownSince: Date | null;
};

/** What the bank answered about an order. `refused`: the order itself was definitely refused. */
export type BankReply<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'refused'; readonly refusal: BankRefusal }
  | { readonly is: 'unknown' | 'not-found' };

/** Why the bank refused: a code of the bank's own or of the Pix rules, and a text. */
export type BankRefusal = { readonly code: string | undefined; readonly reason: string | undefined };

/** `missing`: the bank does not know the order, and it may be sent again. `alarm`: to be logged for the operator. */
export type Booked<Order> = { readonly missing?: Order; readonly alarm?: string };

/** How one kind of order is told apart, and changed. */
export type OrderKind<Order extends BankOrder> = {
  readonly name: 'withdrawal' | 'refund';
  /** The item of the operator for an order that the ledger did not debit. */
  readonly notDebited: 'payout-not-debited' | 'refund-not-debited';
  /** Its ids and amounts at the bank, for open items and the audit log. */
  readonly facts: (order: Order) => Record<string, unknown>;
  readonly update: (tx: Tx, order: Order, changes: OrderChanges) => Promise<Order>;
};

/** How one kind of order is sent, found and booked. */
export type OrderDesk<Order extends BankOrder, Answer> = {
  readonly kind: OrderKind<Order>;
  readonly send: (order: Order) => Promise<Answer>;
  /** Undefined: the bank has no such order at present. */
  readonly find: (order: Order) => Promise<Answer | undefined>;
  /** Books a reply in one transaction. */
  readonly book: (tx: Tx, order: Order, reply: BankReply<Answer>) => Promise<Booked<Order>>;
  /** Repeats the checks of the first send and marks the order as sent; undefined if it may not leave now. */
  readonly claimForResend: (tx: Tx, order: Order) => Promise<Order | undefined>;
};

/** Columns that withdrawals and refunds share. */
type OrderChanges = {
  readonly sends?: number;
  readonly lookups?: number;
  readonly not_found?: number;
  readonly first_sent_at?: Date;
  readonly last_sent_at?: Date;
  readonly unknown_since?: Date | null;
  readonly error_code?: null;
  readonly error?: null;
  readonly due_at?: Date | null;
};

/** Lease on an order while it is sent or looked up; longer than any call to the bank takes. */
export const ORDER_LEASE_MS = 90_000;
/** After this long without an outcome an order goes to the operator: look-ups continue, resends do not. */
const doubtMs = 3_600_000;
/** Before a resend, the bank must have had this long, and this many look-ups, to find the order. */
const missingMs = 120_000;
const missingLookups = 3;
/** An answer that contradicts the order is asked for again after this long. */
const contradictedMs = 15 * 60_000;

export function isLongUnknown(unknownSince: Date | null, now: Date): boolean {
  return unknownSince !== null && now.getTime() - unknownSince.getTime() >= doubtMs;
}

/** Only under the same id, and only at a bank that accepts each id once: a resend must never pay twice. */
export function mayResend({ notFound, lastSentAt, unknownSince }: BankOrder, now: Date): boolean {
  return (
    notFound >= missingLookups &&
    lastSentAt !== null &&
    now.getTime() - lastSentAt.getTime() >= missingMs &&
    !isLongUnknown(unknownSince, now)
  );
}

const firstPausesSeconds = [1, 2, 3, 5, 10, 20, 30, 60];

/** Backoff: when to look an order up next, by the number of look-ups so far. */
export function nextLookUp({ lookups, unknownSince }: BankOrder, now: Date): Date {
  const seconds = firstPausesSeconds[lookups] ?? (lookups < 20 ? 60 : 300);
  return after(now, (isLongUnknown(unknownSince, now) ? 600 : seconds) * 1000);
}

/** The changes that mark an order as sent. Its outcome is unknown until the bank answers. */
export function onceSent({ sends, unknownSince }: BankOrder, now: Date): OrderChanges {
  return {
    sends: sends + 1,
    lookups: 0,
    not_found: 0,
    ...(sends === 0 && { first_sent_at: now }),
    last_sent_at: now,
    unknown_since: unknownSince ?? now,
    error_code: null,
    error: null,
    due_at: after(now, ORDER_LEASE_MS),
  };
}

/** Sends an order that was claimed in a transaction of its own, and books what the bank answers. */
export async function sendOrder<Order extends BankOrder, Answer>(
  deps: Deps,
  desk: OrderDesk<Order, Answer>,
  order: Order,
): Promise<void> {
  await bookReply(deps, desk, order, await ask(deps, desk, order, () => desk.send(order)));
}

/** Looks up the outcome of an order that the bank has, or may have, and books it. */
export async function lookUpOrder<Order extends BankOrder, Answer>(
  deps: Deps,
  desk: OrderDesk<Order, Answer>,
  order: Order,
): Promise<void> {
  const reply = await ask(deps, desk, order, () => desk.find(order));
  // A refused look-up does not mean that the order was refused.
  await bookReply(deps, desk, order, reply.is === 'refused' ? { is: 'unknown' } : reply);
}

async function ask<Order extends BankOrder, Answer>(
  { log }: Deps,
  { kind: { name } }: OrderDesk<Order, Answer>,
  { id }: Order,
  call: () => Promise<Answer | undefined>,
): Promise<BankReply<Answer>> {
  try {
    const answer = await call();
    return answer === undefined ? { is: 'not-found' } : { is: 'answered', answer };
  } catch (err) {
    log.warn({ err, [`${name}Id`]: id }, `the bank did not accept or report a ${name}`);
    return err instanceof PspRefused ? { is: 'refused', refusal: err } : { is: 'unknown' };
  }
}

/** Books a reply, and sends an order again that the bank does not know, if it may. */
export async function bookReply<Order extends BankOrder, Answer>(
  deps: Deps,
  desk: OrderDesk<Order, Answer>,
  order: Order,
  reply: BankReply<Answer>,
): Promise<void> {
  const { missing, alarm } = await inTransaction(deps, (tx) => desk.book(tx, order, reply));
  if (alarm !== undefined)
    deps.log.error({ [`${desk.kind.name}Id`]: order.id, merchantId: order.merchantId }, alarm);
  if (missing === undefined) return;
  const claimed = await inTransaction(deps, (tx) => desk.claimForResend(tx, missing));
  if (claimed !== undefined) await sendOrder(deps, desk, claimed);
}

/** Notes that an order still has no outcome. After an hour it goes to the operator. */
export async function stayUnknown<Order extends BankOrder>(
  tx: Tx,
  kind: OrderKind<Order>,
  order: Order,
  isMissing: boolean,
): Promise<Booked<Order>> {
  const unknownSince = order.unknownSince ?? tx.now;
  const changed = await kind.update(tx, order, {
    unknown_since: unknownSince,
    not_found: order.notFound + (isMissing ? 1 : 0),
    due_at: nextLookUp({ ...order, unknownSince }, tx.now),
  });
  if (isMissing && mayResend(changed, tx.now)) return { missing: changed };
  if (!isLongUnknown(unknownSince, tx.now)) return {};
  const detail = { ...kind.facts(order), unknown_since: unknownSince.toISOString() };
  const { id: reference, merchantId } = order;
  const opened = await openItem(tx, { kind: `${kind.name}-in-doubt`, reference, merchantId, detail });
  return opened ? { alarm: `the outcome of a ${kind.name} has been unknown for an hour` } : {};
}

/** The bank's answer contradicts the order, so it proves nothing: books nothing and opens an item for the operator. */
export async function reportContradiction<Order extends BankOrder>(
  tx: Tx,
  kind: OrderKind<Order>,
  order: Order & { readonly status: string },
  atBank: Record<string, unknown>,
): Promise<Booked<Order>> {
  const { id: reference, merchantId, status, unknownSince } = order;
  await kind.update(
    tx,
    order,
    status === 'processing'
      ? { due_at: after(tx.now, contradictedMs), unknown_since: unknownSince ?? tx.now }
      : { due_at: null },
  );
  const detail = { ...kind.facts(order), status, at_bank: atBank };
  const opened = await openItem(tx, { kind: `${kind.name}-differs`, reference, merchantId, detail });
  return opened ? { alarm: `the bank and the ledger differ on a ${kind.name}` } : {};
}

/** Closes the items that an order's unknown outcome has opened. */
export async function closeDoubt<Order extends BankOrder>(
  tx: Tx,
  { name }: OrderKind<Order>,
  { id: reference }: Order,
  by: { readonly evidence: string; readonly closedBy?: number },
): Promise<void> {
  for (const kind of [`${name}-in-doubt`, `${name}-differs`] as const)
    await closeItem(tx, { kind, reference, ...by });
}

/** Records that an administrator ends an order on evidence. */
export async function recordResolution<Order extends BankOrder>(
  tx: KeyedTx,
  kind: OrderKind<Order>,
  order: Order & { readonly status: string },
  { actorId, evidence, status }: { actorId: number; evidence: string; status: 'completed' | 'failed' },
): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: `${kind.name} resolved`,
    subject_id: order.merchantId,
    reason: evidence,
    before: { [kind.name]: order.id, status: order.status, ...kind.facts(order) },
    after: { status },
  });
  const by = { evidence, closedBy: actorId };
  await closeDoubt(tx, kind, order, by);
  await closeItem(tx, { kind: kind.notDebited, reference: order.id, ...by });
}

/** Why an order may not leave now: a stable code, and a sentence for the merchant. */
export type Delay = { readonly code: string; readonly text: string };

/** While the account's balance at the bank is in doubt, nothing leaves. `noun`: the order, as the merchant calls it. */
export async function bankDelay(
  tx: Tx,
  tellsBalance: boolean,
  noun: 'saque' | 'estorno',
): Promise<Delay | undefined> {
  if (!(await isBankInDoubt(tx, tellsBalance))) return undefined;
  return {
    code: 'BANK_IN_DOUBT',
    text: `O saldo no banco está sendo conferido. O ${noun} sai em seguida.`,
  };
}

/** Nothing leaves for a merchant who is frozen or not approved. */
export async function accountDelay(
  tx: Tx,
  merchantId: number,
  noun: 'saque' | 'estorno',
): Promise<Delay | undefined> {
  const merchant = await readMerchant(tx.db, merchantId);
  if (merchant?.frozen)
    return {
      code: 'ACCOUNT_FROZEN',
      text: `A conta está bloqueada. O ${noun} fica retido até que ela seja desbloqueada.`,
    };
  if (merchant?.approved === true) return undefined;
  return {
    code: 'ACCOUNT_NOT_APPROVED',
    text: `A conta não está aprovada. O ${noun} fica retido até que ela seja aprovada de novo.`,
  };
}
