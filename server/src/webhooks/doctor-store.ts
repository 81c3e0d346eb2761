import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { subjectIdOf } from './write-events.ts';

/** How many of an event's latest attempts the doctor compares with, since each adds hashes. */
const maxTimestamps = 20;

type SentEvent = {
  readonly eventId: string;
  readonly body: string;
  /** The distinct `webhook-timestamp` headers of its attempts, oldest first. */
  readonly timestamps: readonly string[];
};

/** Finds the event that was sent under a webhook-id. Ignores case, which may have changed in transit. */
export async function selectSentEvent(
  db: Db,
  merchantId: number,
  id: string,
): Promise<SentEvent | undefined> {
  const wantedId = id.trim().toLowerCase();
  if (subjectIdOf(wantedId) === undefined) return undefined;
  // Delivery ids begin with the subject's id (32 hexadecimal digits) and an underscore, so the deliveries of a subject
  // are one range of the index. In ASCII, the backtick follows the underscore.
  const subjectPrefix = wantedId.slice(0, 'evt_'.length + 32);
  const { rows } = await sql<{ eventId: string; body: string; timestamps: (string | null)[] }>`
    select split_part(delivery.id, '.', 1) as "eventId", min(coalesce(delivery.body, event.body)) as body,
           array_agg(attempt.headers ->> 'webhook-timestamp' order by attempt.at) as timestamps
    from webhook_deliveries delivery
    left join events event
      on event.merchant_id = delivery.merchant_id and event.id = split_part(delivery.id, '.', 1)
    left join lateral jsonb_to_recordset(delivery.attempts) as attempt (at text, headers jsonb) on true
    where delivery.merchant_id = ${merchantId} and delivery.id >= ${`${subjectPrefix}_`} and delivery.id < ${`${subjectPrefix}\``}
      and lower(split_part(delivery.id, '.', 1)) = ${wantedId}
    group by 1
    having min(coalesce(delivery.body, event.body)) is not null
    limit 1
  `.execute(db);
  const [sent] = rows;
  if (sent === undefined) return undefined;
  const timestamps = new Set(sent.timestamps.filter((timestamp) => timestamp !== null));
  return { ...sent, timestamps: [...timestamps].slice(-maxTimestamps) };
}

const maxHashes = 600;
const maxHashedCharacters = 4 * 1024 * 1024;

/**
 * Limits how much one call of the doctor hashes, whatever its input and number of secrets, because hashing blocks the
 * event loop. The returned function must be called before each hash, and returns false once the budget is spent.
 */
export function createHashBudget(): (content: string) => boolean {
  let hashesLeft = maxHashes;
  let charactersLeft = maxHashedCharacters;
  return ({ length }) => {
    hashesLeft -= 1;
    charactersLeft -= length;
    return hashesLeft >= 0 && charactersLeft >= 0;
  };
}
