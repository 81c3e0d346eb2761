import type { PaymentPageStatus } from '@jangada/contract';
import { rememberWaiting } from './redirect-to-shop.ts';

const eagerMs = 2_000;
const eagerForMs = 180_000;
const calmMs = 5_000;
/** Money may still arrive after the deadline, so polling continues for this long. */
const afterEndForMs = 600_000;
const longestAnswerMs = 10_000;

/**
 * Polls the payment's status, and reloads the page when it changes, because the gateway renders every state. A hidden
 * tab does not poll, and polls at once when it becomes visible.
 */
export function watchPayment(page: HTMLElement, clock: ServerClock): { check(): void } {
  const { id, state } = page.dataset;
  const open = state === 'waiting';
  if (id === undefined || !(open || state === 'expired' || state === 'cancelled')) return { check() {} };
  if (open) rememberWaiting(id);
  const began = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let reloads = false;

  const pause = () => {
    const since = Date.now() - began;
    if (!open && since > afterEndForMs) return undefined;
    return open && since < eagerForMs ? eagerMs : calmMs;
  };
  const later = () => {
    clearTimeout(timer);
    const wait = pause();
    if (wait !== undefined && !document.hidden) timer = setTimeout(check, wait);
  };
  const check = async () => {
    if (asking) return;
    asking = true;
    const status = await askStatus(id);
    asking = false;
    if (status !== undefined) clock.told(status.now);
    say(page, open ? status !== undefined : true);
    if (status !== undefined && (reloads || status.status !== state)) return location.reload();
    reloads = false;
    later();
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : void check()));
  addEventListener('online', () => void check());
  // Without a connection the link would replace the code with the browser's error page.
  page.querySelector('[data-check]')?.addEventListener('click', (event) => {
    event.preventDefault();
    reloads = true;
    void check();
  });
  // A page restored from the back/forward cache shows an outdated state.
  addEventListener('pageshow', ({ persisted }) => persisted && void check());
  later();
  return { check: () => void check() };
}

async function askStatus(id: string): Promise<PaymentPageStatus | undefined> {
  try {
    const answer = await fetch(`/pagar/${id}/status`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(longestAnswerMs),
    });
    // The response is from our own gateway, of the same build.
    return answer.ok ? ((await answer.json()) as PaymentPageStatus) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes only on change, because each write is announced. */
function say(page: HTMLElement, reached: boolean): void {
  const words = reached ? 'Aguardando o pagamento' : 'Sem conexão. Tentando de novo…';
  const place = page.querySelector('[data-status]');
  if (place && place.textContent !== words) place.textContent = words;
}

/** The gateway's time, extrapolated from its last report: the payer's own clock is not used. */
export type ServerClock = { nowMs(): number; told(now: string): void };

export function serverClock(now: string): ServerClock {
  let ahead = 0;
  const told = (moment: string) => {
    const ms = Date.parse(moment);
    if (!Number.isNaN(ms)) ahead = ms - Date.now();
  };
  told(now);
  return { nowMs: () => Date.now() + ahead, told };
}
