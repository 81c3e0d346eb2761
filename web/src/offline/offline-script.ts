// The script of the offline page. It applies the theme that the user chose, and requests the screen again until the
// server responds.

try {
  if (localStorage.getItem('theme') === 'dark') document.documentElement.dataset['theme'] = 'dark';
} catch {
  // Storage is unavailable: the light theme stays.
}

const button = document.querySelector('button');
const statusLine = document.querySelector('[role=status]');
const clock = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });
const RETRY_INTERVAL_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** True while a request is running. */
let isRetrying = false;
/** True once the user has pressed the button, until the result of the running request is shown. */
let isManualRetry = false;

/** The status codes that a reverse proxy sends when the gateway behind it is down. */
const SERVER_DOWN_STATUSES: readonly number[] = [502, 503, 504];

/**
 * Requests the URL of this page once. Any status except those above shows that the server is back, so the page is
 * reloaded, which loads the screen that the user requested.
 */
async function retry(): Promise<void> {
  if (isRetrying) return;
  isRetrying = true;
  try {
    const { status } = await fetch(location.href, {
      method: 'HEAD',
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (SERVER_DOWN_STATUSES.includes(status)) throw new Error(`The server is down: ${status}.`);
    location.reload();
  } catch {
    isRetrying = false;
    // An automatic retry fails silently, because a screen reader would announce each failure.
    if (isManualRetry) showStatus(`Ainda sem conexão às ${clock.format(new Date())}.`);
    isManualRetry = false;
  }
}

function retryOnPress(): void {
  isManualRetry = true;
  showStatus('Tentando…');
  void retry();
}

function retryIfVisible(): void {
  if (document.visibilityState === 'visible') void retry();
}

function showStatus(text: string): void {
  if (statusLine !== null) statusLine.textContent = text;
}

button?.addEventListener('click', retryOnPress);
addEventListener('online', () => void retry());
document.addEventListener('visibilitychange', retryIfVisible);
// Also retries at intervals, because the browser fires no `online` event when a server that was down is back.
setInterval(retryIfVisible, RETRY_INTERVAL_MS);

export {};
