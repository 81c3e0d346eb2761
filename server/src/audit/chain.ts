import type { Secrets } from '../secrets.ts';

/** An entry as stored in the database. */
export type WrittenEntry = {
  readonly id: number;
  /** Seconds since 1970, as PostgreSQL writes them: to the microsecond. */
  readonly at: string;
  readonly actor_id: number;
  readonly action: string;
  readonly subject_id: number;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
};

/** The end of a chain: its number of entries, and the MAC of the last. */
export type ChainHead = { readonly entries: number; readonly lastMac: Buffer };

type Keyed = Pick<Secrets, 'hash'>;

/** The MAC that proves an entry at its place, given the MAC of the one before; the first has none before it. */
export function macOfEntry(secrets: Keyed, previous: Buffer, position: number, entry: WrittenEntry): Buffer {
  const { id, at, actor_id, action, subject_id, reason, before, after } = entry;
  const fields = [id, at, actor_id, action, subject_id, reason, before, after];
  return secrets.hash('audit', canonical(['entry', previous.toString('hex'), position, ...fields]));
}

/** The MAC that proves that the chain ends here. Without the key nobody can make it for an earlier end. */
export function macOfEnd(secrets: Keyed, { entries, lastMac }: ChainHead): Buffer {
  return secrets.hash('audit', canonical(['end', entries, lastMac.toString('hex')]));
}

/** JSON with object keys in a fixed order, since jsonb does not keep their order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
