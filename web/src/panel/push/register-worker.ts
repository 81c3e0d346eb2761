/** The URL of the site's only service worker. */
export const WORKER = '/push-worker.js';

/**
 * Registers the service worker, so that a lost connection shows our own page. It asks for no permission, and waits
 * until the screen has rendered. If it fails, the browser shows its own error page when the connection is lost.
 */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register(WORKER).catch(() => {});
  if (typeof requestIdleCallback === 'function') requestIdleCallback(register);
  else setTimeout(register, 1000);
}
