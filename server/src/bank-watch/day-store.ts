import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** The results of a comparison that has covered its day up to `until`. Amounts in integer cents. */
export const comparisonProgress = z.object({
  startedAt: z.coerce.date(),
  until: z.coerce.date(),
  receivedCents: z.number(),
  returnedCents: z.number(),
  sentCents: z.number(),
  differences: z.number(),
});
export type ComparisonProgress = z.infer<typeof comparisonProgress>;

/** A day of an account: its bank's lists are compared with our records of that account. */
export type AccountDay = { readonly connectionId: number; readonly day: string };

/** A day whose comparison has begun. */
export type StartedDay = {
  readonly day: string;
  /** When the last complete comparison of the day ended. */
  readonly comparedAt: Date | undefined;
  readonly differences: number;
  /** Until when one process has the exclusive right to compare the day. */
  readonly leasedUntil: Date | undefined;
};

/** Lists the days of an account whose comparison has begun, starting with the day `from`. */
export async function listStartedDays(db: Db, connectionId: number, from: string): Promise<StartedDay[]> {
  const rows = await db
    .selectFrom('reconciled_days')
    .select(['day', 'compared_at', 'differences', 'lease_until'])
    .where('connection_id', '=', connectionId)
    .where('day', '>=', from)
    .execute();
  return rows.map((row) => ({
    day: row.day,
    comparedAt: row.compared_at ?? undefined,
    differences: row.differences,
    leasedUntil: row.lease_until ?? undefined,
  }));
}

/** The time at which the gateway was set up. */
export async function readSetupTime(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('gateway').select('created_at').executeTakeFirst();
  return row?.created_at;
}

/** The time from which an account is compared: when it was entered here, and for the operator's own, the setup. */
export async function readBeginning(db: Db, connectionId: number): Promise<Date | undefined> {
  const entered = await db
    .selectFrom('bank_connections')
    .select('created_at')
    .where('id', '=', connectionId)
    .executeTakeFirst();
  return entered?.created_at ?? readSetupTime(db);
}

/** Leases a day and returns the progress of its comparison. Returns undefined if another process has the lease. */
export async function leaseDay(
  tx: Tx,
  { connectionId, day }: AccountDay,
  leasedUntil: Date,
): Promise<{ progress: ComparisonProgress | undefined } | undefined> {
  const { rows } = await sql<{ comparison_progress: unknown }>`
    insert into reconciled_days as stored (connection_id, day, lease_until)
    values (${connectionId}, ${day}, ${leasedUntil})
    on conflict (connection_id, day) do update set lease_until = excluded.lease_until
    where stored.lease_until is null or stored.lease_until <= ${tx.now}
    returning comparison_progress
  `.execute(tx.db);
  const [row] = rows;
  return (
    row && {
      progress:
        row.comparison_progress === null ? undefined : comparisonProgress.parse(row.comparison_progress),
    }
  );
}

/** Stores the progress of a comparison and releases the day's lease. */
export async function writeProgress(
  tx: Tx,
  { connectionId, day }: AccountDay,
  result: ComparisonProgress,
): Promise<void> {
  await tx.db
    .updateTable('reconciled_days')
    .set({ comparison_progress: JSON.stringify(result), lease_until: null })
    .where('connection_id', '=', connectionId)
    .where('day', '=', day)
    .execute();
}

export async function releaseDay(db: Db, { connectionId, day }: AccountDay): Promise<void> {
  await db
    .updateTable('reconciled_days')
    .set({ lease_until: null })
    .where('connection_id', '=', connectionId)
    .where('day', '=', day)
    .execute();
}

/** Stores the results of a complete comparison and releases the day's lease. */
export async function finishDay(
  tx: Tx,
  { connectionId, day }: AccountDay,
  result: ComparisonProgress,
): Promise<void> {
  await tx.db
    .updateTable('reconciled_days')
    .set({
      compared_at: tx.now,
      received_cents: result.receivedCents,
      returned_cents: result.returnedCents,
      sent_cents: result.sentCents,
      differences: result.differences,
      comparison_progress: null,
      lease_until: null,
    })
    .where('connection_id', '=', connectionId)
    .where('day', '=', day)
    .execute();
}

export type ComparedDay = Omit<ComparisonProgress, 'until' | 'startedAt'> & {
  readonly day: string;
  readonly comparedAt: Date;
};

/** Lists the compared days of an account, newest first. */
export async function listComparedDays(db: Db, connectionId: number, limit: number): Promise<ComparedDay[]> {
  const rows = await db
    .selectFrom('reconciled_days')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('compared_at', 'is not', null)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ day, compared_at, received_cents, returned_cents, sent_cents, differences }) =>
    compared_at === null
      ? []
      : [
          {
            day,
            comparedAt: compared_at,
            receivedCents: received_cents,
            returnedCents: returned_cents,
            sentCents: sent_cents,
            differences,
          },
        ],
  );
}
