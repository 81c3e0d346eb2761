import { Refusal } from './refusal.ts';

/** A position in a list sorted from newest to oldest, given by the creation time and id of the row there. */
export type ListCursor = { readonly createdAt: Date; readonly id: string };

/**
 * The maximum number of rows scanned for a page when no index has the requested order. Such a page may be short without
 * being the last one.
 */
export const MAX_ROWS_SCANNED = 20_000;

/**
 * Encodes a position for the API. A page contains its last position as `next`; the caller sends this value as `before`
 * to get the page of older rows.
 */
export function encodeCursor({ createdAt, id }: ListCursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** Decodes a position. Refuses a cursor that this API cannot have issued with INVALID_QUERY. */
export function decodeCursor(text: string): ListCursor {
  const parts = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  if (parts?.[1] === undefined || parts[2] === undefined) {
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  }
  return { createdAt: new Date(Number(parts[1])), id: parts[2] };
}
