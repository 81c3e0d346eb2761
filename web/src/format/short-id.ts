/**
 * The beginning of an id, long enough to tell the rows of a list apart and to search by. The id of a charge (UUID
 * version 7) begins with the millisecond of its creation, so the ids of a whole minute share their first eight digits,
 * and more digits are needed.
 */
export function shortId(id: string): string {
  const uuidVersion = id.charAt(14);
  return id.slice(0, uuidVersion === '7' ? 13 : 8);
}
