import type { UnusualSign } from '@jangada/contract';
import { sql } from 'kysely';
import { nightWindow } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { formatBrl } from '../format-brl.ts';
import type { PolicyState } from './count-approvals.ts';
import type { Order } from './document.ts';
import { sumBelow, sumSentByKeys } from './store.ts';

/** An order to the bank that takes money out of an account. */
export type MoneyOrder = {
  readonly kind: 'withdrawal' | 'refund';
  readonly merchantId: number;
  readonly id: string;
  readonly connectionId: number;
  readonly amountCents: number;
  readonly feeCents: number;
  /** Where the money goes: a Pix key, or for a refund the Pix that is returned. */
  readonly to: { readonly pixKey: string; readonly keyType: string } | { readonly endToEndId: string };
  /** Our id of the order at the bank, which takes each id once. */
  readonly bankOrderId: string;
  readonly isByKey: boolean;
  /** The person who asked; null if an API key did. */
  readonly madeBy: number | null;
};

/** The part of an order to which its approvals bind. */
export function orderContent(order: MoneyOrder): Order {
  return {
    id: order.id,
    amount_cents: order.amountCents,
    fee_cents: order.feeCents,
    ...('pixKey' in order.to
      ? { pix_key: order.to.pixKey, pix_key_type: order.to.keyType }
      : { end_to_end_id: order.to.endToEndId }),
    connection: order.connectionId,
    bank_order_id: order.bankOrderId,
  };
}

const dayMs = 24 * 3_600_000;

/** Why a policy demands approvals of an order, and with what sum of others an order below its amount reaches it. */
export type Demand = { readonly withOthersCents: number | null };

/**
 * Finds out why a policy demands approvals for an order; undefined if it demands none. It does from its amount on, also
 * if the order reaches it only together with the smaller ones of 24 hours, so that a sum cannot leave in parts. What a
 * key sends to an approved destination needs nobody up to the limit of that destination, and somebody beyond it.
 */
export async function findDemand(
  tx: Pick<TxWithSecrets, 'db' | 'now'>,
  state: PolicyState,
  order: MoneyOrder,
): Promise<Demand | undefined> {
  const alone: Demand = { withOthersCents: null };
  if (!state.isOn) return undefined;
  const { merchantId, id: exceptId, amountCents } = order;
  const since = addMs(tx.now, -dayMs);
  if (order.isByKey && 'pixKey' in order.to) {
    const { pixKey } = order.to;
    const limitCents = state.destinations.get(pixKey);
    if (limitCents !== undefined) {
      const sentCents = await sumSentByKeys(tx.db, merchantId, { since, pixKey, exceptId });
      return sentCents + amountCents > limitCents ? alone : undefined;
    }
  }
  if (amountCents >= state.fromCents) return alone;
  const withOthersCents = await sumBelow(tx.db, merchantId, {
    since,
    belowCents: state.fromCents,
    exceptId,
    destinations: [...state.destinations.keys()],
  });
  return withOthersCents + amountCents >= state.fromCents ? { withOthersCents } : undefined;
}

/** The sentence that says with which others a small order waits. */
export function withOthersText({ withOthersCents }: Demand, { fromCents }: PolicyState): string {
  return withOthersCents === null
    ? ''
    : ` Com os ${formatBrl(withOthersCents)} de saques e estornos menores das últimas 24 horas, alcança os ${formatBrl(fromCents)} da política.`;
}

/** What is unusual about an order, for the people who are asked. */
export async function findUnusual(
  { db, now }: Pick<TxWithSecrets, 'db' | 'now'>,
  { merchantId, amountCents, kind, to }: MoneyOrder,
  { withOthersCents }: Demand,
): Promise<UnusualSign[]> {
  const signs: UnusualSign[] = withOthersCents === null ? [] : ['with-others'];
  if (kind === 'withdrawal' && 'pixKey' in to) {
    const { rows } = await sql<{ isKnown: boolean; largest: number | null; last: Date | null }>`
      select coalesce(bool_or(pix_key = ${to.pixKey}), false) as "isKnown",
             max(amount_cents)::bigint as largest, max(completed_at) as last
      from withdrawals where merchant_id = ${merchantId} and status = 'completed'
    `.execute(db);
    const { isKnown = false, largest = null, last = null } = rows[0] ?? {};
    if (!isKnown) signs.push('new-key');
    if (largest !== null && amountCents > largest) signs.push('largest-ever');
    if (last !== null && now.getTime() - last.getTime() > 60 * dayMs) signs.push('first-in-months');
  }
  if (nightWindow(now) !== undefined) signs.push('at-night');
  return signs;
}
