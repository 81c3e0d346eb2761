/** The beginning of an id, enough to tell rows apart; copying gives the full id. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
