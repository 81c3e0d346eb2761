import type { ServerClock } from './watch-payment.ts';

/** A screen reader announces the time that is left when this many seconds remain. */
const announcedSeconds = [300, 60] as const;
/** Below this many remaining seconds, the digits have the colour of a warning. */
const warningSeconds = 120;

/**
 * Replaces the deadline with a countdown. Screen readers do not read the digits. For them the deadline stays, and the
 * time that is left is announced at five minutes, at one minute and at the end. `onEnd` is called once, at the end.
 */
export function countDown(page: HTMLElement, clock: ServerClock, onEnd: () => void): void {
  const deadline = page.querySelector('[data-deadline]');
  const label = deadline?.querySelector('[data-deadline-words]');
  const time = deadline?.querySelector('time');
  const liveRegion = page.querySelector('[data-deadline-voice]');
  const expiresAtMs = Date.parse(page.dataset['expires'] ?? '');
  if (!label || !time || !liveRegion || Number.isNaN(expiresAtMs)) return;
  const digits = replaceWithDigits(time);
  label.textContent = 'Pague em até';
  label.setAttribute('aria-hidden', 'true');
  /** The seconds left at the previous tick; infinite before the first. */
  let previousSecondsLeft = Number.POSITIVE_INFINITY;
  const tick = () => {
    const secondsLeft = Math.max(0, Math.ceil((expiresAtMs - clock.nowMs()) / 1000));
    digits.textContent = formatDigits(secondsLeft);
    digits.classList.toggle('text-warning', secondsLeft < warningSeconds);
    // A browser that slept may have passed both times, and then announces the later one.
    const dueAnnouncement = announcedSeconds.findLast(
      (threshold) => secondsLeft <= threshold && previousSecondsLeft > threshold,
    );
    // An announcement that is due at the first tick is left out, because its time passed before the page was opened.
    const isFirstTick = !Number.isFinite(previousSecondsLeft);
    if (dueAnnouncement !== undefined && !isFirstTick)
      liveRegion.textContent = announcementOf(dueAnnouncement);
    previousSecondsLeft = secondsLeft;
    if (secondsLeft > 0) return;
    liveRegion.textContent = 'O prazo para pagar terminou.';
    clearInterval(timer);
    onEnd();
  };
  const timer = setInterval(tick, 1000);
  tick();
}

/**
 * Puts a new element for the digits in the place of the deadline, and returns it. The deadline itself stays for screen
 * readers, but is no longer visible.
 */
function replaceWithDigits(time: HTMLElement): HTMLElement {
  const digits = document.createElement('span');
  digits.className = time.className;
  digits.setAttribute('aria-hidden', 'true');
  time.before(digits);
  time.className = 'sr-only';
  time.textContent = `Pague até ${time.textContent}`;
  return digits;
}

function announcementOf(seconds: number): string {
  return seconds === 60 ? 'Falta 1 minuto para pagar.' : `Faltam ${seconds / 60} minutos para pagar.`;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The seconds that are left as `28:41`, or as `23:59:59` from one hour on. */
function formatDigits(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutesAndSeconds = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return hours === 0 ? minutesAndSeconds : `${twoDigits(hours)}:${minutesAndSeconds}`;
}
