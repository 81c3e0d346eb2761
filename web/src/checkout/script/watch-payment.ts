import type { PaymentPageStatus } from '@jangada/contract';
import { rememberWaiting } from './redirect-to-shop.ts';

/** An open page polls at the short interval for its first three minutes, and at the long one from then on. */
const shortIntervalMs = 2_000;
const shortIntervalPeriodMs = 180_000;
const longIntervalMs = 5_000;
/** Money may still arrive after the deadline, so polling continues for this long. */
const afterDeadlinePeriodMs = 600_000;
const requestTimeoutMs = 10_000;

/**
 * Polls the payment's status, and reloads the page when it changes, because the gateway renders every state. A hidden
 * tab does not poll, and polls at once when it becomes visible.
 */
export function watchPayment(page: HTMLElement, clock: ServerClock): { check(): void } {
  const { id, state } = page.dataset;
  const isWaiting = state === 'waiting';
  const canStillBePaid = isWaiting || state === 'expired' || state === 'cancelled';
  if (id === undefined || !canStillBePaid) return { check() {} };
  if (isWaiting) rememberWaiting(id);
  const startedAtMs = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;
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
    const response = await fetchStatus(id);
    isPolling = false;
    if (response !== undefined) clock.synchronize(response.now);
    const isOffline = response === undefined;
    // Only the page of an open charge shows whether the gateway can be reached.
    showConnection(page, isWaiting && isOffline);
    if (response !== undefined && (mustReload || response.status !== state)) return location.reload();
    mustReload = false;
    scheduleCheck();
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : void check()));
  addEventListener('online', () => void check());
  // Without a connection the link would replace the code with the browser's error page.
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

async function fetchStatus(id: string): Promise<PaymentPageStatus | undefined> {
  try {
    const response = await fetch(`/pagar/${id}/status`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    // The response is from our own gateway, of the same build.
    return response.ok ? ((await response.json()) as PaymentPageStatus) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes only on change, because screen readers announce each write. */
function showConnection(page: HTMLElement, isOffline: boolean): void {
  const text = isOffline ? 'Sem conexão. Tentando de novo…' : 'Aguardando o pagamento';
  const status = page.querySelector('[data-status]');
  if (status && status.textContent !== text) status.textContent = text;
}

/** The gateway's time, extrapolated from its last report: the payer's own clock is not used. */
export type ServerClock = { nowMs(): number; synchronize(serverTime: string): void };

export function serverClock(now: string): ServerClock {
  let offsetMs = 0;
  const synchronize = (serverTime: string) => {
    const ms = Date.parse(serverTime);
    if (!Number.isNaN(ms)) offsetMs = ms - Date.now();
  };
  synchronize(now);
  return { nowMs: () => Date.now() + offsetMs, synchronize };
}
