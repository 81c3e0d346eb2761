/**
 * @returns a signal aborted by Ctrl-C, so that running work can finish with a summary; a second Ctrl-C exits at once
 */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
