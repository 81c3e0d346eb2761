/** Starts `count` things together and answers what became of each, in order. */
export function atOnce<T>(
  count: number,
  thing: (index: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => thing(index)));
}
