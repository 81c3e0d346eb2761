import { formatMomentForSentence } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';

/** The brute-force protection of a merchant's PIN. */
export type PinGuard = {
  /** Attempts since the last correct PIN, or since the last lock ended. */
  readonly wrongPins: number;
  /** How many locks there were since the last correct PIN. */
  readonly pinLocks: number;
  readonly pinLockedUntil: Date | null;
};

export const PIN_TRIES = 5;
const firstLockMs = 15 * 60_000;
const longestLockMs = 24 * 3_600_000;

export function isLocked({ pinLockedUntil }: PinGuard, now: Date): boolean {
  return pinLockedUntil !== null && pinLockedUntil > now;
}

/** The state after one more attempt, counted before the PIN is verified; the last attempt locks. */
export function countTry(guard: PinGuard, now: Date): PinGuard {
  const wrongPins = (guard.pinLockedUntil === null ? guard.wrongPins : 0) + 1;
  if (wrongPins < PIN_TRIES) return { wrongPins, pinLocks: guard.pinLocks, pinLockedUntil: null };
  const lockMs = Math.min(firstLockMs * 2 ** Math.min(guard.pinLocks, 10), longestLockMs);
  return { wrongPins, pinLocks: guard.pinLocks + 1, pinLockedUntil: new Date(now.getTime() + lockMs) };
}

/** The state after taking back an attempt that could not be verified. */
export function uncountTry(guard: PinGuard): PinGuard {
  if (guard.wrongPins === 0) return guard;
  const locked = guard.pinLockedUntil !== null;
  return {
    wrongPins: guard.wrongPins - 1,
    pinLocks: guard.pinLocks - (locked ? 1 : 0),
    pinLockedUntil: null,
  };
}

/** PINs that an attacker tries first: 1111, 1234, 9876. */
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

/** Takes the state after this attempt. */
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
