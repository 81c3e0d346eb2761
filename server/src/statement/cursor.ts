import { Refusal } from '../refusal.ts';
import type { EntryPosition } from './store.ts';

/**
 * The cursor of a statement: the position at which a page ended, and the balance from which the next page, with older
 * entries, continues.
 */
export type StatementCursor = {
  readonly position: EntryPosition;
  /**
   * Without `since`, the balance before the entry at `position`. With `since`, the balance after all entries up to
   * `since`; the entries between `since` and `position` are added when the next page is read.
   */
  readonly balanceCents: number;
  /** Set if entries that belong between this time and `position` may not be committed yet. */
  readonly since: Date | undefined;
};

/** Encodes a cursor for the API, which treats it as opaque. */
export function encodeStatementCursor({ position, balanceCents, since }: StatementCursor): string {
  const { at, isOut, event, reference } = position;
  const parts = [at.getTime(), isOut ? 1 : 0, balanceCents, since?.getTime() ?? '', event, reference];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** Decodes a cursor of the API. Refuses a malformed cursor with INVALID_QUERY. */
export function decodeStatementCursor(text: string): StatementCursor {
  const parts = /^(\d{1,15})\.([01])\.(-?\d{1,15})\.(\d{0,15})\.([a-z ]{1,40})\.(.{1,200})$/.exec(
    Buffer.from(text, 'base64url').toString('utf8'),
  );
  if (parts === null)
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  const [, at = '', isOut, carried, since = '', event = '', reference = ''] = parts;
  return {
    position: { at: new Date(Number(at)), isOut: isOut === '1', event, reference },
    balanceCents: Number(carried),
    since: since === '' ? undefined : new Date(Number(since)),
  };
}
