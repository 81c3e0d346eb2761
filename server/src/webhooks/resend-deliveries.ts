import { randomBytes } from 'node:crypto';
import { EVENT_DAYS, WEBHOOK_LIMITS, type WebhookDelivery } from '@jangada/contract';
import { daysAfter, startOfDay } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { enforceAttemptLimit } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import {
  insertResent,
  type ResendCandidate,
  type Resending,
  type ResendPeriod,
  selectDeliveriesInPeriod,
  selectResendCandidates,
} from './log-store.ts';
import { notifyOwnerOncePerDay } from './notify-owner.ts';
import { readDelivery } from './read-log.ts';
import { eventIdOfDelivery } from './write-events.ts';

type ResendDeps = Pick<Deps, 'db' | 'clock'>;

/** The merchant and how they authenticated. They are notified of resending by session, but not by API key. */
type Resender = Pick<Caller, 'accountId' | 'authMethod'>;

/**
 * Resends a delivery, whatever its state. This creates a new delivery of the same event, with the same webhook-id.
 * @throws {Refusal} WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_EVENT_FORGOTTEN, WEBHOOK_ENDPOINT_OFF
 */
export async function resendDelivery(
  deps: ResendDeps,
  caller: Resender,
  id: string,
): Promise<WebhookDelivery> {
  const { accountId: merchantId } = caller;
  return inTransaction(deps, async (tx) => {
    const [found] = await findResendCandidates(tx, merchantId, [id]);
    if (found === undefined) throw new Refusal('WEBHOOK_DELIVERY_NOT_FOUND');
    if (found.isForgotten) throw new Refusal('WEBHOOK_EVENT_FORGOTTEN');
    if (found.isOff) throw new Refusal('WEBHOOK_ENDPOINT_OFF');
    const [resent] = await createResendings(tx, caller, [found]);
    return readDelivery(tx, merchantId, resent?.id ?? '');
  });
}

export type ResendSummary = {
  readonly resent: number;
  readonly skipped: number;
  /** The period has more deliveries than one call resends. The next call may begin at `last_at`. */
  readonly has_more: boolean;
  /** When the last of these deliveries was created. */
  readonly last_at: string | null;
};

/** Bulk calls are limited, since each may write as much as the settlement of a thousand payments. */
const bulkRateLimit = { limit: 20, windowSeconds: 60 };

/**
 * Resends these deliveries, and skips those that cannot be resent.
 * @throws {Refusal} RATE_LIMITED
 */
export async function resendDeliveries(
  deps: ResendDeps,
  caller: Resender,
  ids: readonly string[],
): Promise<ResendSummary> {
  const distinctIds = [...new Set(ids)];
  await enforceAttemptLimit(deps, { key: `webhooks resent by ${caller.accountId}`, ...bulkRateLimit });
  const resent = await inTransaction(deps, (tx) => resendWherePossible(tx, caller, distinctIds));
  return { resent, skipped: distinctIds.length - resent, has_more: false, last_at: null };
}

/**
 * Resends the finished deliveries of a period, oldest first, up to the limit of one call.
 * @throws {Refusal} PERIOD_INVALID, RATE_LIMITED
 */
export async function resendDeliveriesOfPeriod(
  deps: ResendDeps,
  caller: Resender,
  request: Omit<ResendPeriod, 'limit' | 'merchantId'>,
): Promise<ResendSummary> {
  const period = { ...request, merchantId: caller.accountId };
  if (!(period.from < period.to)) throw new Refusal('PERIOD_INVALID');
  await enforceAttemptLimit(deps, { key: `webhooks resent by ${period.merchantId}`, ...bulkRateLimit });
  const limit = WEBHOOK_LIMITS.resendPeriod;
  return inTransaction(deps, async (tx) => {
    const found = await selectDeliveriesInPeriod(tx, { ...period, limit: limit + 1 });
    const page = found.slice(0, limit);
    const ids = page.map(({ id }) => id);
    const resent = await resendWherePossible(tx, caller, ids);
    return {
      resent,
      skipped: page.length - resent,
      has_more: found.length > limit,
      last_at: page.at(-1)?.createdAt.toISOString() ?? null,
    };
  });
}

/** Converts the bounds of a period. Each bound is a moment, or a calendar day that belongs to the period entirely. */
export function resendPeriodBounds({ from, to }: { from: string; to: string }): { from: Date; to: Date } {
  return {
    from: isDay(from) ? startOfDay(from) : new Date(from),
    to: isDay(to) ? startOfDay(daysAfter(to, 1)) : new Date(to),
  };
}

function isDay(text: string): boolean {
  return text.length === 'YYYY-MM-DD'.length;
}

async function resendWherePossible(tx: Tx, caller: Resender, ids: readonly string[]): Promise<number> {
  const found = await findResendCandidates(tx, caller.accountId, ids);
  const resendable = found.filter(({ isForgotten, isOff }) => !isForgotten && !isOff);
  return (await createResendings(tx, caller, resendable)).length;
}

function findResendCandidates(
  tx: Tx,
  merchantId: number,
  ids: readonly string[],
): Promise<ResendCandidate[]> {
  const keptSince = new Date(tx.now.getTime() - EVENT_DAYS * 24 * 3_600_000);
  return selectResendCandidates(tx, merchantId, ids, keptSince);
}

/** Stores a new delivery for each of these, and wakes the sender. */
async function createResendings(
  tx: Tx,
  { accountId: merchantId, authMethod }: Resender,
  deliveries: readonly ResendCandidate[],
): Promise<Resending[]> {
  if (deliveries.length === 0) return [];
  if (authMethod === 'session') await notifyOwnerOncePerDay(tx, merchantId, 'resent', '');
  const resendings = deliveries.map(({ id }) => ({ originalId: id, id: makeResentId(id) }));
  await insertResent(tx, merchantId, resendings);
  tx.wakeAfterCommit({ merchantIds: [merchantId] });
  return resendings;
}

/** The id of a resent delivery: the event, the receiver, and a random suffix that makes it unique. */
function makeResentId(id: string): string {
  const receiver = id.split('.')[1] ?? 'cb';
  return `${eventIdOfDelivery(id)}.${receiver}.${randomBytes(6).toString('hex')}`;
}
