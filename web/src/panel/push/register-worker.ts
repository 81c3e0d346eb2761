/** The address of the site's only service worker, which has a source file of its own. */
export const WORKER = '/push-worker.js';

/**
 * Registers the service worker, so that a lost connection shows our own page. It asks for no permission, waits until
 * the screen has rendered, and may fail: then the browser shows its own error page.
 */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register(WORKER).catch(() => {});
  if (typeof requestIdleCallback === 'function') requestIdleCallback(register);
  else setTimeout(register, 1000);
}
