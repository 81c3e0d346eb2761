import { type adminAuditLog, PAGE_SIZE, type QueryOf, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { findAccountIdByNumberOrUsername, listEntries } from './store.ts';

type Page = ResponseOf<typeof adminAuditLog>;

/**
 * Lists a page of the audit log, newest first: all entries, or those in which one account, given by its number or
 * username, acted or was acted upon. Refused with USER_NOT_FOUND.
 */
export async function listAuditLog(
  { db }: Pick<Deps, 'db'>,
  { user, action, before }: QueryOf<typeof adminAuditLog>,
): Promise<Page> {
  const limit = PAGE_SIZE.auditLog;
  const rows = await listEntries(db, {
    userId: user === undefined ? undefined : await findAccountId(db, user),
    action,
    before: before === undefined ? undefined : Number(before),
    limit: limit + 1,
  });
  const entries = rows.slice(0, limit).map(toEntryBody);
  const hasMore = rows.length > limit;
  return { entries, next: hasMore ? (entries.at(-1)?.id ?? null) : null };
}

async function findAccountId(db: Deps['db'], numberOrUsername: string): Promise<number> {
  const id = await findAccountIdByNumberOrUsername(db, numberOrUsername);
  if (id === undefined)
    throw new Refusal('USER_NOT_FOUND', { message: 'Nenhuma conta tem este número ou nome de usuário.' });
  return id;
}

type Row = Awaited<ReturnType<typeof listEntries>>[number];

/** Converts an entry to the API's form. */
function toEntryBody(row: Row): Page['entries'][number] {
  const { id, at, action, reason } = row;
  return {
    id: String(id),
    at: at.toISOString(),
    actor: personOf(row.actor_id, row.actor_name),
    action,
    subject: personOf(row.subject_id, row.subject_name),
    reason,
    // `insertAuditEntry` writes only objects here.
    before: row.before as Record<string, unknown>,
    after: row.after as Record<string, unknown>,
  };
}

/** The account as a person; null for the platform (account 0). */
function personOf(id: number, name: string): { id: string; name: string } | null {
  return id === 0 ? null : { id: String(id), name };
}
