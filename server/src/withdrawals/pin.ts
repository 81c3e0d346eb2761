import { formatMomentForSentence } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';

/** What stands between whoever guesses and the PIN of a merchant. */
export type PinGuard = {
  /** Tries since the last right one, or since the last lock ended. */
  readonly wrongPins: number;
  /** How often they have locked withdrawals since the last right PIN. */
  readonly pinLocks: number;
  readonly pinLockedUntil: Date | null;
};

export const PIN_TRIES = 5;
const firstLockMs = 15 * 60_000;
const longestLockMs = 24 * 3_600_000;

export function isLocked({ pinLockedUntil }: PinGuard, now: Date): boolean {
  return pinLockedUntil !== null && pinLockedUntil > now;
}

/** What stands after one more try, counted before it is known to be right: the last one locks. */
export function countTry(guard: PinGuard, now: Date): PinGuard {
  const wrongPins = (guard.pinLockedUntil === null ? guard.wrongPins : 0) + 1;
  if (wrongPins < PIN_TRIES) return { wrongPins, pinLocks: guard.pinLocks, pinLockedUntil: null };
  const lockMs = Math.min(firstLockMs * 2 ** Math.min(guard.pinLocks, 10), longestLockMs);
  return { wrongPins, pinLocks: guard.pinLocks + 1, pinLockedUntil: new Date(now.getTime() + lockMs) };
}

/** What stands after a try that was counted and could not be made. */
export function uncountTry(guard: PinGuard): PinGuard {
  if (guard.wrongPins === 0) return guard;
  const locked = guard.pinLockedUntil !== null;
  return {
    wrongPins: guard.wrongPins - 1,
    pinLocks: guard.pinLocks - (locked ? 1 : 0),
    pinLockedUntil: null,
  };
}

/** Of the first that anybody tries: 1111, 1234, 9876. */
export function isSimplePin(pin: string): boolean {
  const steps = Array.from(pin.slice(1), (digit, at) => Number(digit) - Number(pin[at]));
  return [0, 1, -1].some((step) => steps.every((one) => one === step));
}

export function pinLocked(until: Date): Refusal {
  return new Refusal('PIN_LOCKED', {
    message: `Saques bloqueados até ${formatMomentForSentence(until)} por tentativas demais com o PIN errado.`,
    details: { until: until.toISOString() },
  });
}

/** `counted`: what stands after this try. */
export function pinWrong({ wrongPins, pinLockedUntil }: PinGuard): Refusal {
  const left = Math.max(0, PIN_TRIES - wrongPins);
  if (pinLockedUntil !== null) {
    return new Refusal('PIN_WRONG', {
      message: `PIN incorreto. Saques bloqueados até ${formatMomentForSentence(pinLockedUntil)}.`,
      details: { attempts_left: 0, until: pinLockedUntil.toISOString() },
    });
  }
  return new Refusal('PIN_WRONG', {
    message: `PIN incorreto. ${left === 1 ? 'Resta 1 tentativa' : `Restam ${left} tentativas`}.`,
    details: { attempts_left: left },
  });
}
