/** @returns whether the full time passed; false if it was aborted */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(passed);
    };
    const onAbort = () => end(false);
    const timer = setTimeout(() => end(true), milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}
