import type { Secrets } from '../secrets.ts';

/** An entry as it stands in the database. */
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

/** Where a chain ends: with how many entries, and the mac of the last. */
export type ChainHead = { readonly entries: number; readonly lastMac: Buffer };

type Keyed = Pick<Secrets, 'hash'>;

/** What proves an entry at its place, given what proves the one before; the first has nothing before it. */
export function macOfEntry(secrets: Keyed, previous: Buffer, position: number, entry: WrittenEntry): Buffer {
  const { id, at, actor_id, action, subject_id, reason, before, after } = entry;
  const fields = [id, at, actor_id, action, subject_id, reason, before, after];
  return secrets.hash('audit', canonical(['entry', previous.toString('hex'), position, ...fields]));
}

/** What proves that the chain ends here. Nobody else can make it for an earlier end. */
export function macOfEnd(secrets: Keyed, { entries, lastMac }: ChainHead): Buffer {
  return secrets.hash('audit', canonical(['end', entries, lastMac.toString('hex')]));
}

/** JSON with the keys of objects in one order: jsonb keeps none. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
