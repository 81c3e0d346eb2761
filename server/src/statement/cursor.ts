import { Refusal } from '../refusal.ts';
import type { EntryPosition } from './store.ts';

/** The position where a page ended, and the balance that the next page continues from. */
export type Cursor = {
  readonly place: EntryPosition;
  /** The balance before the entry at `place`; if `since` is set, the balance after all entries up to that time. */
  readonly balanceCents: number;
  /** Set if entries from shortly before `place` may not be committed yet. */
  readonly since: Date | undefined;
};

export function writeCursor({ place, balanceCents, since }: Cursor): string {
  const { at, isOut, event, reference } = place;
  const parts = [at.getTime(), isOut ? 1 : 0, balanceCents, since?.getTime() ?? '', event, reference];
  return Buffer.from(parts.join('.')).toString('base64url');
}

export function readCursor(text: string): Cursor {
  const parts = /^(\d{1,15})\.([01])\.(-?\d{1,15})\.(\d{0,15})\.([a-z ]{1,40})\.(.{1,200})$/.exec(
    Buffer.from(text, 'base64url').toString('utf8'),
  );
  if (parts === null)
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  const [, at = '', isOut, carried, since = '', event = '', reference = ''] = parts;
  return {
    place: { at: new Date(Number(at)), isOut: isOut === '1', event, reference },
    balanceCents: Number(carried),
    since: since === '' ? undefined : new Date(Number(since)),
  };
}
