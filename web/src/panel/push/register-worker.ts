/** The URL of the site's only service worker. */
export const WORKER_URL = '/push-worker.js';

/**
 * Registers the service worker, so that users who lose the connection see our offline page. Asks for no permission, and
 * waits until the browser is idle, so that the current screen is rendered first. If the registration fails, offline
 * users see the browser's own error page.
 */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register(WORKER_URL).catch(() => {});
  if (typeof requestIdleCallback === 'function') requestIdleCallback(register);
  else setTimeout(register, 1000);
}
