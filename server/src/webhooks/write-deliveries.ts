import { sql } from 'kysely';
import { jsonLines, numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { distinctEndpoints, type Endpoint } from './lane-store.ts';

/** What a merchant's system is to be told. */
export type NewDelivery = {
  readonly merchantId: number;
  /** The `webhook-id`: what is told once has one id. */
  readonly id: string;
  readonly type: string;
  /** What it speaks of: a charge, a withdrawal. */
  readonly subjectId: string;
  readonly url: string;
  readonly body: object;
};

/** Writes deliveries, all in one statement. */
export async function writeDeliveries(tx: Tx, told: readonly NewDelivery[]): Promise<void> {
  if (told.length === 0) return;
  const endpoints = endpointsOf(told);
  const changed = distinctEndpoints(endpoints);
  await sql`
    with delivery as (
      insert into webhook_deliveries (merchant_id, id, type, subject_id, url, endpoint, body, due_at, created_at)
      select merchant_id, id, type, subject_id, url, endpoint, body, ${tx.now}, ${tx.now}
      from rows from (
        unnest(
          ${numbers(endpoints.map((one) => one.merchantId))}::bigint[], ${texts(told.map((one) => one.id))}::text[],
          ${texts(told.map((one) => one.type))}::text[], ${texts(told.map((one) => one.subjectId))}::uuid[],
          ${texts(told.map((one) => one.url))}::text[], ${texts(endpoints.map((one) => one.endpoint))}::text[]),
        string_to_table(${jsonLines(told.map((one) => one.body))}, E'\\n')
      ) told (merchant_id, id, type, subject_id, url, endpoint, body)
    )
    insert into webhook_lane_changes (merchant_ids, endpoints, since)
    values (${numbers(changed.map((one) => one.merchantId))}::bigint[],
            ${texts(changed.map((one) => one.endpoint))}::text[], ${tx.now})
  `.execute(tx.db);
}

/** The receiver of each. Few addresses take many: each is read once. */
function endpointsOf(told: readonly NewDelivery[]): Endpoint[] {
  const origins = new Map<string, string>();
  return told.map(({ merchantId, url }) => {
    const endpoint = origins.get(url) ?? new URL(url).origin;
    origins.set(url, endpoint);
    return { merchantId, endpoint };
  });
}
