import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countDown } from './count-down.ts';
import { serverClock } from './watch-payment.ts';

const now = '2026-11-22T12:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2031-01-01T00:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Starts the countdown on a page whose charge expires after this many seconds. The browser's clock is years ahead. */
function startCountdown(seconds: number) {
  const expires = new Date(Date.parse(now) + seconds * 1000).toISOString();
  document.body.innerHTML = `<main data-expires="${expires}">
    <p><span data-deadline><span data-deadline-words>Pague até</span> <time datetime="${expires}">as 09:30</time></span></p>
    <p role="status" data-deadline-voice></p></main>`;
  const page = document.querySelector<HTMLElement>('main');
  if (page === null) throw new Error('no page');
  const onEnd = vi.fn();
  countDown(page, serverClock(now), onEnd);
  const visibleDigits = () =>
    page.querySelector('[data-deadline] [aria-hidden]:not([data-deadline-words])')?.textContent;
  const voice = page.querySelector('[data-deadline-voice]');
  if (voice === null) throw new Error('no voice');
  return {
    visibleDigits,
    voice,
    onEnd,
    deadlineForScreenReader: () => page.querySelector('time')?.textContent,
  };
}

test('the countdown follows the gateway’s clock, and screen readers hear the deadline', () => {
  const { visibleDigits, deadlineForScreenReader } = startCountdown(1721);
  expect(visibleDigits()).toBe('28:41');
  vi.advanceTimersByTime(1000);
  expect(visibleDigits()).toBe('28:40');
  expect(deadlineForScreenReader()).toBe('Pague até as 09:30');
});

test('screen readers announce the time left at five minutes, at one minute and at the end', async () => {
  const { voice, onEnd } = startCountdown(1800);
  const announcements: string[] = [];
  new MutationObserver(() => announcements.push(voice.textContent ?? '')).observe(voice, { childList: true });
  for (let second = 0; second < 1801; second += 1) {
    vi.advanceTimersByTime(1000);
    await Promise.resolve();
  }
  expect(announcements).toEqual([
    'Faltam 5 minutos para pagar.',
    'Falta 1 minuto para pagar.',
    'O prazo para pagar terminou.',
  ]);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('an announcement whose time passed before the page was opened is left out, and a day is counted in hours', () => {
  expect(startCountdown(120).voice.textContent).toBe('');
  expect(startCountdown(86_399).visibleDigits()).toBe('23:59:59');
});
