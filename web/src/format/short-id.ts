/** The beginning of an id, enough to tell rows apart; the whole one is copied. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
