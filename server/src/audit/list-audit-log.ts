import { type adminAuditLog, PAGE_SIZE, type QueryOf, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { listEntries } from './store.ts';

type Page = ResponseOf<typeof adminAuditLog>;

/** A page of the audit log, newest first: all of it, or what one account did and what was done to it. */
export async function listAuditLog(
  { db }: Pick<Deps, 'db'>,
  { user, action, before }: QueryOf<typeof adminAuditLog>,
): Promise<Page> {
  const limit = PAGE_SIZE.auditLog;
  const rows = await listEntries(db, {
    userId: numberOf(user),
    action,
    before: numberOf(before),
    limit: limit + 1,
  });
  const entries = rows.slice(0, limit).map(shown);
  return { entries, next: (rows.length > limit && entries.at(-1)?.id) || null };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

type Row = Awaited<ReturnType<typeof listEntries>>[number];

function shown(row: Row): Page['entries'][number] {
  const { id, at, action, reason } = row;
  return {
    id: String(id),
    at: at.toISOString(),
    actor: person(row.actor_id, row.actor_name),
    action,
    subject: person(row.subject_id, row.subject_name),
    reason,
    // Objects, as insertAuditEntry writes them.
    before: row.before as Record<string, unknown>,
    after: row.after as Record<string, unknown>,
  };
}

/** The platform is nobody. */
function person(id: number, name: string): { id: string; name: string } | null {
  return id === 0 ? null : { id: String(id), name };
}
