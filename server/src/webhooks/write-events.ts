import { type RawBuilder, sql } from 'kysely';
import { jsonLines, numberArray, textArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** An event to report to a merchant's systems. */
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

/** Appends events to the log, from which the feed and the webhook sender read. */
export async function writeEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`select ${buildEventsSql(tx, events)}`.execute(tx.db);
}

/** Returns the SQL call by which `writeEvents` works, for the caller to include in its own statement. */
export function buildEventsSql(tx: Tx, events: readonly NewEvent[]): RawBuilder<boolean> {
  tx.wakeAfterCommit({ merchantIds: events.map((one) => one.merchantId) });
  return sql`write_events(
    written_at => ${tx.now}::timestamptz,
    merchants => ${numberArray(events.map((one) => one.merchantId))}::bigint[],
    ids => ${textArray(events.map((one) => one.id))}::text[],
    types => ${textArray(events.map((one) => one.type))}::text[],
    subjects => ${textArray(events.map((one) => one.subjectId))}::uuid[],
    urls => ${textArray(events.map((one) => one.callbackUrl))}::text[],
    bodies => ${jsonLines(events.map((one) => one.body))}::text)`;
}

const subjectIn = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/** Returns the id of an event. It follows from the subject and `what` happened, so no event is stored twice. */
export function makeEventId(subjectId: string, what: string): string {
  return `evt_${subjectId.replaceAll('-', '')}_${what}`;
}

/** Returns the subject's id from the id of an event or a delivery; undefined if it is no such id. */
export function subjectIdOf(eventId: string): string | undefined {
  return subjectIn.exec(eventId)?.slice(1).join('-');
}

/** Returns the event's id from the id of a delivery: the part before the first dot. */
export function eventIdOfDelivery(deliveryId: string): string {
  return deliveryId.split('.', 1)[0] ?? deliveryId;
}
