import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';

/** What a bank told us, before anybody believed it. */
export type Notice = { readonly endToEndId: string; readonly notice: unknown };

export type WaitingNotice = {
  readonly id: number;
  readonly endToEndId: string;
  readonly receivedAt: Date;
  readonly attempts: number;
};

/** Keeps notices, each under an id of its own, before the bank gets its answer. */
export async function storeNotices(tx: Tx, notices: readonly Notice[]): Promise<void> {
  await sql`
    insert into psp_inbox (received_at, end_to_end_id, notice, due_at)
    select ${tx.now}, end_to_end_id, notice, ${tx.now}
    from unnest(${notices.map((one) => one.endToEndId)}::text[],
                ${notices.map((one) => JSON.stringify(one.notice))}::jsonb[]) told (end_to_end_id, notice)
  `.execute(tx.db);
}

/** Takes notices that are due, put off until `until`: if this process dies they come up again. */
export async function takeNotices(tx: Tx, until: Date, limit: number): Promise<WaitingNotice[]> {
  const { rows } = await sql<{ id: number; end_to_end_id: string; received_at: Date; attempts: number }>`
    update psp_inbox set attempts = attempts + 1, due_at = ${until}
    where id in (
      select id from psp_inbox where state = 'waiting' and due_at <= ${tx.now}
      order by due_at, id limit ${limit}
      for update skip locked
    )
    returning id, end_to_end_id, received_at, attempts
  `.execute(tx.db);
  return rows.map((row) => ({
    id: row.id,
    endToEndId: row.end_to_end_id,
    receivedAt: row.received_at,
    attempts: row.attempts,
  }));
}

export async function finishNotices(
  tx: Tx,
  finished: readonly { id: number; state: 'done' | 'refused'; outcome: string }[],
): Promise<void> {
  if (finished.length === 0) return;
  await sql`
    update psp_inbox set state = finished.state, outcome = finished.outcome, finished_at = ${tx.now}
    from unnest(${finished.map((one) => one.id)}::bigint[], ${finished.map((one) => one.state)}::text[],
                ${finished.map((one) => one.outcome)}::text[]) finished (id, state, outcome)
    where psp_inbox.id = finished.id and psp_inbox.state = 'waiting'
  `.execute(tx.db);
}

export async function putOffNotices(
  tx: Tx,
  later: readonly { id: number; until: Date; outcome: string }[],
): Promise<void> {
  if (later.length === 0) return;
  await sql`
    update psp_inbox set due_at = later.until, outcome = later.outcome
    from unnest(${later.map((one) => one.id)}::bigint[], ${later.map((one) => one.until)}::timestamptz[],
                ${later.map((one) => one.outcome)}::text[]) later (id, until, outcome)
    where psp_inbox.id = later.id and psp_inbox.state = 'waiting'
  `.execute(tx.db);
}

/** Forgets notices that were finished before `before`: what they led to stands in the books. */
export async function forgetNotices(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('psp_inbox')
    .where('state', '<>', 'waiting')
    .where('finished_at', '<', before)
    .execute();
}
