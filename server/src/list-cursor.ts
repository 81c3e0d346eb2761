import { Refusal } from './refusal.ts';

/** A place in a list that goes from the newest to the oldest. */
export type ListCursor = { readonly createdAt: Date; readonly id: string };

/** What no index holds in its order is looked for among so many rows at a time: a page of it may be short, and not the last. */
export const MAX_ROWS_SCANNED = 20_000;

/** A place as the wire carries it: `next` of a page, and `before` of the one after. */
export function cursorOf({ createdAt, id }: ListCursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** @throws {Refusal} INVALID_QUERY for one that we cannot have made. */
export function cursorFrom(text: string): ListCursor {
  const parts = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  if (parts?.[1] === undefined || parts[2] === undefined) {
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  }
  return { createdAt: new Date(Number(parts[1])), id: parts[2] };
}
