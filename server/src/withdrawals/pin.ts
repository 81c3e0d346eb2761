import { formatMomentForSentence } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';

/** The count of a merchant's PIN attempts, and the lock that follows too many wrong ones. */
export type PinAttempts = {
  /** Attempts since the last correct PIN, or since the last lock ended, including those not verified yet. */
  readonly countedPinAttempts: number;
  /** Locks since the last correct PIN. Each lasts twice as long as the one before, up to a day. */
  readonly pinLocks: number;
  readonly pinLockedUntil: Date | null;
};

/** The attempt with this number locks, unless its PIN is correct. */
export const MAX_PIN_ATTEMPTS = 5;
const firstLockMs = 15 * 60_000;
const maxLockMs = 24 * 3_600_000;

export function isPinLocked({ pinLockedUntil }: PinAttempts, now: Date): boolean {
  return pinLockedUntil !== null && pinLockedUntil > now;
}

/**
 * Returns the state after one more attempt, which is counted before its PIN is verified. The last allowed attempt
 * locks.
 */
export function countAttempt(attempts: PinAttempts, now: Date): PinAttempts {
  const countedPinAttempts = (attempts.pinLockedUntil === null ? attempts.countedPinAttempts : 0) + 1;
  if (countedPinAttempts < MAX_PIN_ATTEMPTS)
    return { countedPinAttempts, pinLocks: attempts.pinLocks, pinLockedUntil: null };
  const lockMs = Math.min(firstLockMs * 2 ** attempts.pinLocks, maxLockMs);
  return {
    countedPinAttempts,
    pinLocks: attempts.pinLocks + 1,
    pinLockedUntil: new Date(now.getTime() + lockMs),
  };
}

/** Returns the state without an attempt whose PIN could not be verified. */
export function uncountAttempt(attempts: PinAttempts): PinAttempts {
  if (attempts.countedPinAttempts === 0) return attempts;
  // A lock that is set was set by the last counted attempt, so it is removed with that attempt.
  const isLocking = attempts.pinLockedUntil !== null;
  return {
    countedPinAttempts: attempts.countedPinAttempts - 1,
    pinLocks: attempts.pinLocks - (isLocking ? 1 : 0),
    pinLockedUntil: null,
  };
}

/**
 * Whether an attacker would try this PIN first: like 1111, 1234 or 9876, it has the same step (0, 1 or −1) between all
 * digits.
 */
export function isSimplePin(pin: string): boolean {
  const steps = Array.from(pin.slice(1), (digit, index) => Number(digit) - Number(pin[index]));
  return [0, 1, -1].some((simpleStep) => steps.every((step) => step === simpleStep));
}

/** Returns the refusal of every PIN while a lock is in force. */
export function pinLockedRefusal(until: Date): Refusal {
  return new Refusal('PIN_LOCKED', {
    message: `Saques bloqueados até ${formatMomentForSentence(until)} por tentativas demais com o PIN errado.`,
    details: { until: until.toISOString() },
  });
}

/** Returns the refusal of a wrong PIN, given the state after that attempt. */
export function wrongPinRefusal({ countedPinAttempts, pinLockedUntil }: PinAttempts): Refusal {
  const attemptsLeft = Math.max(0, MAX_PIN_ATTEMPTS - countedPinAttempts);
  if (pinLockedUntil !== null) {
    return new Refusal('PIN_WRONG', {
      message: `PIN incorreto. Saques bloqueados até ${formatMomentForSentence(pinLockedUntil)}.`,
      details: { attempts_left: 0, until: pinLockedUntil.toISOString() },
    });
  }
  const attemptsLeftText = attemptsLeft === 1 ? 'Resta 1 tentativa' : `Restam ${attemptsLeft} tentativas`;
  return new Refusal('PIN_WRONG', {
    message: `PIN incorreto. ${attemptsLeftText}.`,
    details: { attempts_left: attemptsLeft },
  });
}
