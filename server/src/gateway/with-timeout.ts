const patienceMs = 3000;

/**
 * Resolves to the result, or to undefined if it failed or took too long, so that health can also report what does not
 * respond.
 */
export async function withTimeout<T>(asked: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), patienceMs);
  const first = await Promise.race([asked.catch(() => undefined), late.promise]);
  clearTimeout(timer);
  return first;
}
