import type { PaymentPageStatus, SubscriptionPageStatus } from '@jangada/contract';
import { rememberWaiting } from './redirect-to-shop.ts';

// Keeps the page of a payment or of a subscription up to date by polling the gateway, which also tells the page the time
// by the gateway's clock.

/** The page of an open charge polls at the short interval for three minutes, and at the long interval from then on. */
const shortIntervalMs = 2_000;
const shortIntervalPeriodMs = 180_000;
const longIntervalMs = 5_000;
/** The page of an expired or cancelled charge polls for this long, because money may still arrive. */
const afterDeadlinePeriodMs = 600_000;
const requestTimeoutMs = 10_000;

/**
 * Polls the status of the payment or permission, and reloads the page when the status changes, because the gateway
 * renders a different page for each status. A hidden tab does not poll until it becomes visible again. Returns `check`,
 * which polls without waiting for the next interval.
 */
export function watchPayment(page: HTMLElement, clock: ServerClock): { check(): void } {
  const { id, state, statusPath } = page.dataset;
  const isWaiting = state === 'waiting';
  const canStillBePaid = isWaiting || state === 'expired' || state === 'cancelled';
  if (id === undefined || statusPath === undefined || !canStillBePaid) return { check() {} };
  if (isWaiting) rememberWaiting(id);
  const startedAtMs = Date.now();
  const waitingText = page.querySelector('[data-status]')?.textContent ?? '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;
  /** True once the payer asked for a check: the page is then reloaded even if the status has not changed. */
  let mustReload = false;

  /** The delay before the next poll; undefined when polling is over. */
  const nextDelayMs = () => {
    const elapsedMs = Date.now() - startedAtMs;
    if (!isWaiting && elapsedMs > afterDeadlinePeriodMs) return undefined;
    return isWaiting && elapsedMs < shortIntervalPeriodMs ? shortIntervalMs : longIntervalMs;
  };
  const scheduleCheck = () => {
    clearTimeout(timer);
    const delayMs = nextDelayMs();
    if (delayMs !== undefined && !document.hidden) timer = setTimeout(check, delayMs);
  };
  const check = async () => {
    if (isPolling) return;
    isPolling = true;
    const response = await fetchStatus(statusPath);
    isPolling = false;
    if (response !== undefined) clock.synchronize(response.now);
    const isOffline = response === undefined;
    // Only the page of an open charge shows whether the gateway can be reached.
    showConnection(page, isWaiting && isOffline ? 'Sem conexão. Tentando de novo…' : waitingText);
    if (response !== undefined && (mustReload || response.status !== state)) return location.reload();
    mustReload = false;
    scheduleCheck();
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : void check()));
  addEventListener('online', () => void check());
  // Following the link would reload the page at once, and without a connection the browser's error page would replace
  // the code. So the script reloads the page only after a response.
  page.querySelector('[data-check]')?.addEventListener('click', (event) => {
    event.preventDefault();
    mustReload = true;
    void check();
  });
  // A page restored from the back/forward cache shows an outdated state.
  addEventListener('pageshow', ({ persisted }) => persisted && void check());
  scheduleCheck();
  return { check: () => void check() };
}

type PageStatus = PaymentPageStatus | SubscriptionPageStatus;

async function fetchStatus(path: string): Promise<PageStatus | undefined> {
  try {
    const response = await fetch(path, {
      cache: 'no-store',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    // Not parsed by a schema, because the response comes from our own gateway, which has the same build as this script.
    return response.ok ? ((await response.json()) as PageStatus) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Shows whether the gateway can be reached. The text is written only if it changes, because screen readers announce
 * each write.
 */
function showConnection(page: HTMLElement, text: string): void {
  const status = page.querySelector('[data-status]');
  if (status && status.textContent !== text) status.textContent = text;
}

/**
 * A clock with the gateway's time, because the payer's clock may be wrong. The clock runs on from the last time that
 * the gateway reported.
 */
export type ServerClock = { nowMs(): number; synchronize(serverTime: string): void };

/** Creates a clock from the time at which the gateway rendered the page, an ISO timestamp. */
export function serverClock(now: string): ServerClock {
  let offsetMs = 0;
  const synchronize = (serverTime: string) => {
    const ms = Date.parse(serverTime);
    if (!Number.isNaN(ms)) offsetMs = ms - Date.now();
  };
  synchronize(now);
  return { nowMs: () => Date.now() + offsetMs, synchronize };
}
