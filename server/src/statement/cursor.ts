import { Refusal } from '../refusal.ts';
import type { EntryPosition } from './store.ts';

/** Where a page of a statement ended, and the balance from which the next page, with older entries, continues. */
export type StatementCursor = {
  /** The position of the last entry on the page. */
  readonly position: EntryPosition;
  /**
   * Without `since`: the balance before the entry at `position`. With `since`: the balance at the time `since`; whoever
   * reads the next page adds the entries between `since` and `position`.
   */
  readonly balanceCents: number;
  /** Set if entries between this time and `position` may still be added, by transactions that are not committed yet. */
  readonly since: Date | undefined;
};

/** Encodes a cursor for the API, which treats it as opaque. */
export function encodeStatementCursor({ position, balanceCents, since }: StatementCursor): string {
  const { at, isDebit, event, reference } = position;
  const parts = [at.getTime(), isDebit ? 1 : 0, balanceCents, since?.getTime() ?? '', event, reference];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** Decodes a cursor of the API. Refuses a malformed cursor with INVALID_QUERY. */
export function decodeStatementCursor(text: string): StatementCursor {
  const parts = /^(\d{1,15})\.([01])\.(-?\d{1,15})\.(\d{0,15})\.([a-z ]{1,40})\.(.{1,200})$/.exec(
    Buffer.from(text, 'base64url').toString('utf8'),
  );
  if (parts === null)
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  const [, at = '', isDebit, carriedOver, since = '', event = '', reference = ''] = parts;
  return {
    position: { at: new Date(Number(at)), isDebit: isDebit === '1', event, reference },
    balanceCents: Number(carriedOver),
    since: since === '' ? undefined : new Date(Number(since)),
  };
}
