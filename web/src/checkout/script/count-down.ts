import type { ServerClock } from './watch-payment.ts';

/** The remaining seconds at which the time left is announced, once each. */
const told = [300, 60] as const;

/**
 * Replaces the deadline with a countdown. The digits are visual only: screen readers keep the deadline, with
 * announcements at five minutes, at one minute and at the end. `onEnd` is called once, at the end.
 */
export function countDown(page: HTMLElement, clock: ServerClock, onEnd: () => void): void {
  const place = page.querySelector('[data-deadline]');
  const words = place?.querySelector('[data-deadline-words]');
  const time = place?.querySelector('time');
  const voice = page.querySelector('[data-deadline-voice]');
  const ends = Date.parse(page.dataset['expires'] ?? '');
  if (!words || !time || !voice || Number.isNaN(ends)) return;
  const digits = digitsBeside(time);
  words.textContent = 'Pague em até';
  words.setAttribute('aria-hidden', 'true');
  let before = Number.POSITIVE_INFINITY;
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - clock.nowMs()) / 1000));
    digits.textContent = countdown(left);
    digits.classList.toggle('text-warning', left < 120);
    const passed = told.find((seconds) => left <= seconds && before > seconds);
    if (passed !== undefined && Number.isFinite(before)) voice.textContent = spoken(passed);
    before = left;
    if (left > 0) return;
    voice.textContent = 'O prazo para pagar terminou.';
    clearInterval(timer);
    onEnd();
  };
  const timer = setInterval(tick, 1000);
  tick();
}

/** Keeps the deadline for screen readers, and shows the digits in its place. */
function digitsBeside(time: HTMLElement): HTMLElement {
  const digits = document.createElement('span');
  digits.className = time.className;
  digits.setAttribute('aria-hidden', 'true');
  time.before(digits);
  time.className = 'sr-only';
  time.textContent = `Pague até ${time.textContent}`;
  return digits;
}

function spoken(seconds: number): string {
  return seconds === 60 ? 'Falta 1 minuto para pagar.' : `Faltam ${seconds / 60} minutos para pagar.`;
}

const pair = (value: number) => String(value).padStart(2, '0');

/** `28:41`, or `23:59:59` from one hour. */
export function countdown(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const rest = `${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`;
  return hours === 0 ? rest : `${pair(hours)}:${rest}`;
}
