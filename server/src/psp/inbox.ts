import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** What a bank told us, before anybody believed it. */
export type Notice = {
  readonly endToEndId: string;
  /** When the Pix was paid, as the notice claims: where to look for it, and nothing more. */
  readonly claimedAt?: Date | undefined;
  readonly notice: unknown;
};

export type WaitingNotice = {
  readonly id: number;
  readonly endToEndId: string;
  readonly claimedAt: Date | undefined;
  readonly receivedAt: Date;
  readonly attempts: number;
  /** Nobody else takes it before then. */
  readonly takenUntil: Date;
  /** Whether its Pix was booked already. */
  readonly known: boolean;
};

/** Works notices in the process that stores them. */
export type NoticeTaker = {
  /** How many more it would take now; others are left to whoever looks for what is due. */
  room(): number;
  take(notices: readonly WaitingNotice[]): void;
  /** Says that notices were stored which nobody took. */
  wake(): void;
};

/** How long whoever takes a notice has it: short, so that what a killed process had taken is soon worked. */
const leaseMs = 10_000;

type Written = { readonly db: Db | Tx['db']; readonly now: Date };
type NoticeRow = {
  id: number;
  end_to_end_id: string;
  received_at: Date;
  due_at: Date;
  attempts: number;
  known: boolean;
  claimed_at: string | null;
};

/** Keeps notices, each under an id of its own, before the bank gets its answer. They are due at once. */
export async function storeNotices({ db, now }: Written, notices: readonly Notice[]): Promise<void> {
  await sql`
    insert into psp_inbox (received_at, end_to_end_id, notice, due_at)
    select ${now}, end_to_end_id, notice, ${now}
    from unnest(${notices.map((one) => one.endToEndId)}::text[], ${notices.map(jsonOf)}::json[])
      told (end_to_end_id, notice)
  `.execute(db);
}

/** The same, and takes them with it. */
export async function storeAndTakeNotices(
  { db, now }: Written,
  notices: readonly Notice[],
): Promise<WaitingNotice[]> {
  const takenUntil = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<Pick<NoticeRow, 'id' | 'end_to_end_id' | 'known'>>`
    with stored as (
      insert into psp_inbox (received_at, end_to_end_id, notice, attempts, due_at)
      select ${now}, end_to_end_id, notice, 1, ${takenUntil}
      from unnest(${notices.map((one) => one.endToEndId)}::text[], ${notices.map(jsonOf)}::json[])
        told (end_to_end_id, notice)
      returning id, end_to_end_id
    )
    select id, end_to_end_id,
           exists (select from received_pix booked where booked.end_to_end_id = stored.end_to_end_id) as known
    from stored
  `.execute(db);
  const claimed = new Map(notices.map((one) => [one.endToEndId, one.claimedAt]));
  return rows.map(({ id, known, end_to_end_id: endToEndId }) => {
    const claimedAt = claimed.get(endToEndId);
    return { id, known, endToEndId, claimedAt, receivedAt: now, attempts: 1, takenUntil };
  });
}

/** Takes notices that are due: if this process dies they come up again. */
export async function takeNotices(tx: Tx, limit: number): Promise<WaitingNotice[]> {
  const { rows } = await sql<NoticeRow>`
    with taken as (
      update psp_inbox set attempts = attempts + 1, due_at = ${new Date(tx.now.getTime() + leaseMs)}
      where id in (
        select id from psp_inbox where state = 'waiting' and due_at <= ${tx.now}
        order by due_at, id limit ${limit}
        for update skip locked
      )
      returning id, end_to_end_id, received_at, due_at, attempts, notice
    )
    select id, end_to_end_id, received_at, due_at, attempts, notice ->> 'horario' as claimed_at,
           exists (select from received_pix booked where booked.end_to_end_id = taken.end_to_end_id) as known
    from taken
  `.execute(tx.db);
  return rows.map((row) => ({
    id: row.id,
    endToEndId: row.end_to_end_id,
    claimedAt: row.claimed_at === null ? undefined : new Date(row.claimed_at),
    receivedAt: row.received_at,
    attempts: row.attempts,
    takenUntil: row.due_at,
    known: row.known,
  }));
}

/** Without what PostgreSQL makes no text of: NUL, and halves of characters. */
function jsonOf({ notice }: Notice): string {
  return JSON.stringify(notice).replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g, '$1');
}

/** Ends notices that wait: each as `done` or `refused`, with the reason. */
export async function finishNotices(
  tx: Tx,
  ids: readonly number[],
  state: 'done' | 'refused',
  outcome: string,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update psp_inbox set state = ${state}, outcome = ${outcome}, finished_at = ${tx.now}
    where id = any(${ids}::bigint[]) and state = 'waiting'
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

/** Forgets finished notices that came before `before`: what they led to stands in the books. */
export async function forgetNotices(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('psp_inbox')
    .where('state', '<>', 'waiting')
    .where('received_at', '<', before)
    .execute();
}
