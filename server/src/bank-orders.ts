// Payouts and refunds are both orders to the bank, and are handled alike: an order is sent once, looked up while its
// outcome is unknown, and resent only if a resend cannot pay twice. Used by `withdrawals/` and `refunds/`.
import { insertAuditEntry } from './audit/index.ts';
import { closeItem, isBankBalanceUnknown, openItem } from './bank-watch/index.ts';
import { addMs } from './clock.ts';
import { inTransaction, type Tx, type TxWithSecrets } from './db/transaction.ts';
import { readMerchant } from './identity/index.ts';
import { invariant } from './invariant.ts';
import { type AtBank, HOUSE_CONNECTION, PspRefused } from './psp/index.ts';

/** The state of an order to the bank. */
export type BankOrder = {
  readonly merchantId: number;
  readonly id: string;
  /** The account to which the order belongs: only its bank gets the order, and only that bank's word ends it. */
  readonly connectionId: number;
  /** How many times the order was sent. */
  readonly sendCount: number;
  /** How many times the order was looked up since the last send. */
  readonly lookupCount: number;
  /** How many look-ups since the last send found no such order at the bank. */
  readonly notFoundCount: number;
  readonly lastSentAt: Date | null;
  /**
   * Since when the outcome has been unknown; a resend does not change it. Null before the first send, and once the bank
   * has given a clear reply.
   */
  readonly unknownSince: Date | null;
};

/**
 * The bank's reply to a send or a look-up. `refused`: the bank definitely refused the order itself. `unknown`: no
 * usable response. `not-found`: the bank has no such order. `Answer`: the bank's record of the order.
 */
export type BankReply<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'refused'; readonly refusal: BankRefusal }
  | { readonly is: 'unknown' | 'not-found' };

/** The bank's reason for a refusal: a code of its own or of the Pix rules, and a text. */
export type BankRefusal = { readonly code: string | undefined; readonly reason: string | undefined };

/** The result of booking a reply. */
export type BookingResult<Order> = {
  /** The order, if the bank does not know it and it may be sent again. */
  readonly orderToResend?: Order;
  /** A message to be logged for the operator. */
  readonly alarm?: string;
};

/** The differences between withdrawals and refunds: their names, their details, and how their rows are updated. */
export type OrderKind<Order extends BankOrder> = {
  readonly name: 'withdrawal' | 'refund';
  /** The kind of open item for an order whose money our ledger never debited. */
  readonly notDebitedItemKind: 'payout-not-debited' | 'refund-not-debited';
  /** The order's ids and amounts at the bank, for open items and the audit log. */
  readonly details: (order: Order) => Record<string, unknown>;
  readonly update: (tx: Tx, order: Order, changes: OrderChanges) => Promise<Order>;
};

/** The operations that send, find and book one kind of order. `Answer`: the bank's record of the order. */
export type OrderOperations<Order extends BankOrder, Answer> = {
  readonly kind: OrderKind<Order>;
  readonly send: (order: Order) => Promise<Answer>;
  /** Returns undefined if the bank has no such order at present. */
  readonly find: (order: Order) => Promise<Answer | undefined>;
  /** Books a reply in the caller's transaction. */
  readonly book: (tx: Tx, order: Order, reply: BankReply<Answer>) => Promise<BookingResult<Order>>;
  /**
   * Repeats the checks of the first send and marks the order as sent. Returns undefined if the order may not be sent
   * now.
   */
  readonly claimForResend: (tx: TxWithSecrets, order: Order) => Promise<Order | undefined>;
};

/** Changes to the columns that withdrawals and refunds share. */
type OrderChanges = {
  readonly send_count?: number;
  readonly lookup_count?: number;
  readonly not_found_count?: number;
  readonly first_sent_at?: Date;
  readonly last_sent_at?: Date;
  readonly unknown_since?: Date | null;
  readonly error_code?: null;
  readonly error?: null;
  readonly due_at?: Date | null;
};

/**
 * The length of a process's lease on an order, during which no other process sends the order or looks it up. Longer
 * than any call to the bank, so that the lease lasts until the reply.
 */
export const ORDER_LEASE_MS = 90_000;
/**
 * When an outcome has been unknown for this long, the operator gets an open item. The order is still looked up, but not
 * resent any more.
 */
const openItemAfterMs = 3_600_000;
/** The shortest time from the last send of an order to a resend. */
const resendPauseMs = 120_000;
/** An order is resent only after at least this many look-ups since the last send found no such order at the bank. */
const notFoundLookUpsBeforeResend = 3;
/** The pause before the next look-up of an order about which the bank and our database contradict each other. */
const contradictionRetryMs = 15 * 60_000;

/** Whether the outcome has been unknown for so long that the operator must examine the order. */
export function isLongUnknown(unknownSince: Date | null, now: Date): boolean {
  return unknownSince !== null && now.getTime() - unknownSince.getTime() >= openItemAfterMs;
}

/**
 * Whether an order that the bank does not find may be sent again. Callers resend under the same id, and only at a bank
 * that accepts each id once, so that a resend never pays twice.
 */
export function mayResend({ notFoundCount, lastSentAt, unknownSince }: BankOrder, now: Date): boolean {
  return (
    notFoundCount >= notFoundLookUpsBeforeResend &&
    lastSentAt !== null &&
    now.getTime() - lastSentAt.getTime() >= resendPauseMs &&
    !isLongUnknown(unknownSince, now)
  );
}

/**
 * The pauses before the first look-ups. Later look-ups follow every minute, and from the 20th on every five minutes.
 */
const firstPausesSeconds = [1, 2, 3, 5, 10, 20, 30, 60];
/** The pause between look-ups of an order whose outcome has long been unknown. */
const longUnknownPauseSeconds = 600;

/** Backoff: the time of an order's next look-up, by the number of look-ups so far. */
export function nextLookUp({ lookupCount, unknownSince }: BankOrder, now: Date): Date {
  if (isLongUnknown(unknownSince, now)) return addMs(now, longUnknownPauseSeconds * 1000);
  const laterPauseSeconds = lookupCount < 20 ? 60 : 300;
  return addMs(now, (firstPausesSeconds[lookupCount] ?? laterPauseSeconds) * 1000);
}

/** The changes that mark an order as sent. Its outcome is unknown until the bank responds. */
export function changesOnSend({ sendCount, unknownSince }: BankOrder, now: Date): OrderChanges {
  return {
    send_count: sendCount + 1,
    lookup_count: 0,
    not_found_count: 0,
    ...(sendCount === 0 && { first_sent_at: now }),
    last_sent_at: now,
    unknown_since: unknownSince ?? now,
    error_code: null,
    error: null,
    due_at: addMs(now, ORDER_LEASE_MS),
  };
}

/** Sends an order and books the bank's reply. The caller must have marked the order as sent, and committed that. */
export async function sendOrder<Order extends BankOrder, Answer>(
  deps: AtBank,
  operations: OrderOperations<Order, Answer>,
  order: Order,
): Promise<void> {
  const reply = await callBank(deps, operations, order, () => operations.send(order));
  await bookReply(deps, operations, order, reply);
}

/** Looks up the outcome of an order that the bank has, or may have, and books the bank's reply. */
export async function lookUpOrder<Order extends BankOrder, Answer>(
  deps: AtBank,
  operations: OrderOperations<Order, Answer>,
  order: Order,
): Promise<void> {
  const reply = await callBank(deps, operations, order, () => operations.find(order));
  // A refused look-up does not mean that the order was refused.
  await bookReply(deps, operations, order, reply.is === 'refused' ? { is: 'unknown' } : reply);
}

/** Makes a call to the bank; an error becomes the reply `refused` or `unknown`. */
async function callBank<Order extends BankOrder, Answer>(
  { log, connection }: AtBank,
  { kind: { name } }: OrderOperations<Order, Answer>,
  { id, connectionId }: Order,
  call: () => Promise<Answer | undefined>,
): Promise<BankReply<Answer>> {
  invariant(connectionId === connection.id, 'a bank is asked about an order of another account');
  try {
    const answer = await call();
    return answer === undefined ? { is: 'not-found' } : { is: 'answered', answer };
  } catch (err) {
    log.warn({ err, [`${name}Id`]: id }, `a call to the bank about a ${name} failed`);
    return err instanceof PspRefused ? { is: 'refused', refusal: err } : { is: 'unknown' };
  }
}

/** Books a reply. If booking it shows that the order may be resent, resends the order. */
export async function bookReply<Order extends BankOrder, Answer>(
  deps: AtBank,
  operations: OrderOperations<Order, Answer>,
  order: Order,
  reply: BankReply<Answer>,
): Promise<void> {
  invariant(order.connectionId === deps.connection.id, 'a bank answers about an order of another account');
  const { orderToResend, alarm } = await inTransaction(deps, (tx) => operations.book(tx, order, reply));
  if (alarm !== undefined)
    deps.log.error({ [`${operations.kind.name}Id`]: order.id, merchantId: order.merchantId }, alarm);
  if (orderToResend === undefined) return;
  const claimedOrder = await inTransaction(deps, (tx) => operations.claimForResend(tx, orderToResend));
  if (claimedOrder !== undefined) await sendOrder(deps, operations, claimedOrder);
}

/**
 * Records that an order still has no outcome. Returns the order if it may be resent. After an hour, opens an item for
 * the operator.
 */
export async function recordUnknownOutcome<Order extends BankOrder>(
  tx: Tx,
  kind: OrderKind<Order>,
  order: Order,
  isNotFound: boolean,
): Promise<BookingResult<Order>> {
  const unknownSince = order.unknownSince ?? tx.now;
  const updatedOrder = await kind.update(tx, order, {
    unknown_since: unknownSince,
    not_found_count: order.notFoundCount + (isNotFound ? 1 : 0),
    due_at: nextLookUp({ ...order, unknownSince }, tx.now),
  });
  if (isNotFound && mayResend(updatedOrder, tx.now)) return { orderToResend: updatedOrder };
  if (!isLongUnknown(unknownSince, tx.now)) return {};
  const detail = { ...kind.details(order), unknown_since: unknownSince.toISOString() };
  const { id: reference, connectionId, merchantId } = order;
  const item = { connectionId, reference, merchantId, detail };
  const isNewItem = await openItem(tx, { kind: `${kind.name}-in-doubt`, ...item });
  return isNewItem ? { alarm: `the outcome of a ${kind.name} has been unknown for an hour` } : {};
}

/**
 * Opens an item for the operator because the bank's record contradicts the order. Books no outcome, because a
 * contradictory record proves none.
 */
export async function reportContradiction<Order extends BankOrder>(
  tx: Tx,
  kind: OrderKind<Order>,
  order: Order & { readonly status: string },
  bankRecord: Record<string, unknown>,
): Promise<BookingResult<Order>> {
  const { id: reference, connectionId, merchantId, status, unknownSince } = order;
  await kind.update(
    tx,
    order,
    status === 'processing'
      ? { due_at: addMs(tx.now, contradictionRetryMs), unknown_since: unknownSince ?? tx.now }
      : { due_at: null },
  );
  const detail = { ...kind.details(order), status, at_bank: bankRecord };
  const item = { connectionId, reference, merchantId, detail };
  const isNewItem = await openItem(tx, { kind: `${kind.name}-differs`, ...item });
  return isNewItem ? { alarm: `the bank and the ledger differ on a ${kind.name}` } : {};
}

/** Closes the open items about an order's unknown or contradicted outcome. */
export async function closeOpenItemsAboutOutcome<Order extends BankOrder>(
  tx: Tx,
  { name }: OrderKind<Order>,
  { id: reference, connectionId }: Order,
  closingDetails: { readonly evidence: string; readonly closedBy?: number },
): Promise<void> {
  for (const kind of [`${name}-in-doubt`, `${name}-differs`] as const)
    await closeItem(tx, { kind, connectionId, reference, ...closingDetails });
}

/** Records in the audit log that an administrator decided an order's outcome on evidence, and closes its open items. */
export async function recordResolution<Order extends BankOrder>(
  tx: TxWithSecrets,
  kind: OrderKind<Order>,
  order: Order & { readonly status: string },
  { actorId, evidence, status }: { actorId: number; evidence: string; status: 'completed' | 'failed' },
): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: `${kind.name} resolved`,
    subject_id: order.merchantId,
    reason: evidence,
    before: { [kind.name]: order.id, status: order.status, ...kind.details(order) },
    after: { status },
  });
  const closure = { evidence, closedBy: actorId };
  await closeOpenItemsAboutOutcome(tx, kind, order, closure);
  const { id: reference, connectionId } = order;
  await closeItem(tx, { kind: kind.notDebitedItemKind, connectionId, reference, ...closure });
}

/** The reason why an order may not be sent now: a stable code, and a sentence for the merchant. */
export type DeferralReason = { readonly code: string; readonly text: string };

/**
 * Whether nothing may be sent from an account while its balance is unknown: only at the operator's own, whose money is
 * other people's, and only if its bank reports the balance.
 */
export function waitsForBalance({ connection, psp }: Pick<AtBank, 'connection' | 'psp'>): boolean {
  return connection.id === HOUSE_CONNECTION && psp.account !== undefined;
}

/**
 * Returns a reason to defer an order while the balance of the bank account is in doubt. `noun`: the merchant's word for
 * the order. `bankReportsBalance`: see `waitsForBalance`.
 */
export async function findBankDeferralReason(
  tx: Tx,
  bankReportsBalance: boolean,
  noun: 'saque' | 'estorno',
): Promise<DeferralReason | undefined> {
  if (!(await isBankBalanceUnknown(tx, bankReportsBalance))) return undefined;
  return {
    code: 'BANK_IN_DOUBT',
    text: `O saldo no banco está sendo conferido. O ${noun} sai em seguida.`,
  };
}

/** Returns a reason to defer the orders of a merchant who is frozen or not approved. */
export async function findAccountDeferralReason(
  tx: Tx,
  merchantId: number,
  noun: 'saque' | 'estorno',
): Promise<DeferralReason | undefined> {
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
