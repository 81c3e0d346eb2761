const patienceMs = 3000;

/** What was asked for, or undefined when it failed or took too long: health is told also of what does not answer. */
export async function withTimeout<T>(asked: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), patienceMs);
  const first = await Promise.race([asked.catch(() => undefined), late.promise]);
  clearTimeout(timer);
  return first;
}
