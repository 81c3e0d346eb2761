import { type RawBuilder, sql } from 'kysely';
import { jsonLines, numberArray, textArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** A change of a merchant's money, to be reported to the merchant's systems. */
type NewEvent = {
  readonly merchantId: number;
  /** The `webhook-id`, unique per event. It begins with the subject (`makeEventId`). */
  readonly id: string;
  readonly type: string;
  /** The subject: a charge, a withdrawal or a dispute. */
  readonly subjectId: string;
  /** The subject's callback URL; null if it has none. */
  readonly callbackUrl: string | null;
  readonly body: object;
};

/** Appends events to the log, from which the webhook sender and the feed (`GET /api/events`) read. */
export async function writeEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`select ${buildEventsSql(tx, events)}`.execute(tx.db);
}

/** Returns the SQL call that appends events, for the caller to include in its own statement. */
export function buildEventsSql(tx: Tx, events: readonly NewEvent[]): RawBuilder<boolean> {
  tx.wakeAfterCommit({ merchantIds: events.map(({ merchantId }) => merchantId) });
  return sql`write_events(
    written_at => ${tx.now}::timestamptz,
    merchants => ${numberArray(events.map(({ merchantId }) => merchantId))}::bigint[],
    ids => ${textArray(events.map(({ id }) => id))}::text[],
    types => ${textArray(events.map(({ type }) => type))}::text[],
    subjects => ${textArray(events.map(({ subjectId }) => subjectId))}::uuid[],
    urls => ${textArray(events.map(({ callbackUrl }) => callbackUrl))}::text[],
    bodies => ${jsonLines(events.map(({ body }) => body))}::text)`;
}

/** The subject's UUID in an event id, where it stands without hyphens. */
const subjectPattern = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/**
 * Returns the id of an event. It is made from the subject and what happened to it, such as `paid`, so that the same
 * event always has the same id and is not stored twice.
 */
export function makeEventId(subjectId: string, occurrence: string): string {
  return `evt_${subjectId.replaceAll('-', '')}_${occurrence}`;
}

/** Returns the subject's id from the id of an event or a delivery; undefined for other text. */
export function subjectIdOf(eventId: string): string | undefined {
  return subjectPattern.exec(eventId)?.slice(1).join('-');
}

/** Returns the event's id from the id of a delivery: the part before the first dot. */
export function eventIdOfDelivery(deliveryId: string): string {
  return deliveryId.split('.', 1)[0] ?? deliveryId;
}
