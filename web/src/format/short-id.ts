/** The beginning of an id, which is enough to tell the rows of a list apart. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
