import { Refusal } from '../refusal.ts';
import type { EntryPosition } from './store.ts';

/** Where a page ended, and a balance from which the next one goes on. */
export type Cursor = {
  readonly place: EntryPosition;
  /** What the balance was before the entry at `place`, or, where `since` is told, after everything up to that moment. */
  readonly balanceCents: number;
  /** Told while what happened shortly before `place` may still be on its way into the books. */
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
