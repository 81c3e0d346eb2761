/** @returns a signal that Ctrl-C gives, so that what is under way is ended and summed up; a second one ends at once */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
