// The audit log is a chain. Each entry has a MAC (a keyed hash that nobody can compute without the master key) of its
// own content and of the previous entry's MAC, so that a changed, moved or removed entry is detected. The head of the
// chain is a stored record of where the chain ends. The head has a MAC of its own, so that entries cut off at the end
// are detected too.

import type { Secrets } from '../secrets.ts';

/** An audit log entry as stored in the database. */
export type StoredAuditEntry = {
  readonly id: number;
  /** Seconds since 1970 with microseconds, as text, because a JavaScript date would lose the microseconds. */
  readonly at: string;
  readonly actor_id: number;
  readonly action: string;
  readonly subject_id: number;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
};

/** The end of a chain: the number of entries, and the MAC of the last one (empty if the chain has no entries). */
export type ChainEnd = { readonly entryCount: number; readonly lastMac: Buffer };

type KeyedHash = Pick<Secrets, 'hash'>;

/**
 * The MAC of an entry at its position. `previousMac` is the MAC of the entry before; it is empty for the first entry.
 */
export function macOfEntry(
  secrets: KeyedHash,
  previousMac: Buffer,
  position: number,
  entry: StoredAuditEntry,
): Buffer {
  const { id, at, actor_id, action, subject_id, reason, before, after } = entry;
  const fields = [id, at, actor_id, action, subject_id, reason, before, after];
  return secrets.hash('audit', canonicalJson(['entry', previousMac.toString('hex'), position, ...fields]));
}

/** The MAC that proves that the chain ends here. Without the key nobody can compute it for an earlier end. */
export function macOfEnd(secrets: KeyedHash, { entryCount, lastMac }: ChainEnd): Buffer {
  return secrets.hash('audit', canonicalJson(['end', entryCount, lastMac.toString('hex')]));
}

/** JSON with object keys in a fixed order, since jsonb does not keep their order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
