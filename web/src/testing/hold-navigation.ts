import { onTestFinished } from 'vitest';

/** Keeps the page from being replaced until the end of the test. Returns the paths that it was to open. */
export function holdNavigation(): readonly string[] {
  const requestedPaths: string[] = [];
  const hold = (event: NavigateEvent) => {
    if (event.destination.sameDocument) return;
    event.preventDefault();
    requestedPaths.push(new URL(event.destination.url).pathname);
  };
  navigation.addEventListener('navigate', hold);
  onTestFinished(() => navigation.removeEventListener('navigate', hold));
  return requestedPaths;
}
