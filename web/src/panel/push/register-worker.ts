/** The URL of the site's only service worker. */
export const WORKER = '/push-worker.js';

/**
 * Registers the service worker, so that users who lose the connection see our own page. Asks for no permission, and
 * waits until the screen has rendered. If the registration fails, the browser shows its own error page instead.
 */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register(WORKER).catch(() => {});
  if (typeof requestIdleCallback === 'function') requestIdleCallback(register);
  else setTimeout(register, 1000);
}
