let leaving = false;

/** True while the page unloads or reloads: its calls are cut off then, which says nothing about the gateway. */
export function isPageLeaving(): boolean {
  return leaving;
}

if (typeof window !== 'undefined') {
  // Browsers cut calls off at different points, and Safari on phones fires only the second event.
  for (const event of ['beforeunload', 'pagehide']) {
    window.addEventListener(event, () => {
      leaving = true;
    });
  }
  window.addEventListener('pageshow', () => {
    leaving = false;
  });
}
