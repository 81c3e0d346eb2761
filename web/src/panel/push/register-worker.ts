/** The one service worker of this site: what it does stands in its own file. */
export const WORKER = '/push-worker.js';

/**
 * Has the service worker stand ready, so that a lost connection is told in words. It asks nobody for anything, waits until
 * the screen has had its turn, and may fail: then the browser says so in its own.
 */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register(WORKER).catch(() => {});
  if (typeof requestIdleCallback === 'function') requestIdleCallback(register);
  else setTimeout(register, 1000);
}
