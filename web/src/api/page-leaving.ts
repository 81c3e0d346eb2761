let leaving = false;

/** Whether the page is being left or loaded anew: its calls are cut off then, which says nothing of the gateway. */
export function isPageLeaving(): boolean {
  return leaving;
}

if (typeof window !== 'undefined') {
  // Browsers differ in when they cut calls off, and Safari on phones has only the second.
  for (const event of ['beforeunload', 'pagehide']) {
    window.addEventListener(event, () => {
      leaving = true;
    });
  }
  window.addEventListener('pageshow', () => {
    leaving = false;
  });
}
