/**
 * A form that was sent before its script arrived: the first-paint script held it back (a plain submit would lose what
 * was typed) and left a mark; it is sent as soon as somebody listens.
 */
export function replayEarlySubmit(): void {
  const { dataset } = document.documentElement;
  const wasSent = dataset['early'] === 'submit';
  dataset['early'] = 'over';
  if (wasSent) setTimeout(() => document.querySelector('form')?.requestSubmit());
}
