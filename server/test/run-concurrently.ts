/** Starts `count` calls concurrently and returns their outcomes, in the order of their indexes. */
export function runConcurrently<T>(
  count: number,
  call: (index: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));
}
