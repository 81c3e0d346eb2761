import { sql } from 'kysely';
import type { Db } from '../src/db/pool.ts';

export type TestAttempt = {
  readonly deliveryId: string;
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
};

/** All stored attempts to deliver webhooks, those of each delivery in their order. */
export async function readStoredAttempts(db: Db, merchantId?: number): Promise<TestAttempt[]> {
  const { rows } = await sql<TestAttempt>`
    select delivery.id as "deliveryId", attempt.number::int as number, status, error, answer
    from webhook_deliveries delivery
    cross join lateral rows from (
      jsonb_to_recordset(attempts) as (status integer, error text, answer text)
    ) with ordinality attempt (status, error, answer, number)
    where ${merchantId ?? null}::bigint is null or merchant_id = ${merchantId ?? null}
    order by attempt.number, delivery.id
  `.execute(db);
  return rows;
}
