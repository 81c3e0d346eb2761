/**
 * Replays a form submitted before its script arrived: the first-paint script held it back (a plain submit would lose
 * the input) and left a mark; it is submitted once the handlers are attached.
 */
export function replayEarlySubmit(): void {
  const { dataset } = document.documentElement;
  const wasSent = dataset['early'] === 'submit';
  dataset['early'] = 'over';
  if (wasSent) setTimeout(() => document.querySelector('form')?.requestSubmit());
}
