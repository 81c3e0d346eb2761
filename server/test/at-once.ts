/** Starts `count` calls together and returns their outcomes, in order. */
export function atOnce<T>(
  count: number,
  thing: (index: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => thing(index)));
}
