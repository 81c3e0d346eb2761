import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { accountHashQueue, verifyUnderKey } from '../identity/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, pinAttemptColumns, updateControls } from './controls-store.ts';
import {
  countAttempt,
  isPinLocked,
  type PinAttempts,
  pinLockedRefusal,
  uncountAttempt,
  wrongPinRefusal,
} from './pin.ts';

export type PinDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/** A counted attempt: the stored hash with which its PIN is compared, and the state after the attempt. */
type CountedAttempt = { readonly pinHash: string; readonly attempts: PinAttempts };

/**
 * Verifies a merchant's PIN. Each attempt is counted before its PIN is verified, so that concurrent requests get no
 * extra attempts. Refuses with PIN_NOT_SET, PIN_LOCKED, PIN_WRONG or OVERLOADED.
 */
export async function verifyPin(deps: PinDeps, merchantId: number, pin: string): Promise<void> {
  const attempt = await startAttempt(deps, merchantId);
  const isCorrect = await isCorrectPin(deps, merchantId, attempt, pin);
  if (isCorrect && (await resetAttempts(deps, merchantId, attempt))) return;
  const { pinLockedUntil } = attempt.attempts;
  if (pinLockedUntil !== null) await notifyLock(deps, merchantId, pinLockedUntil);
  throw wrongPinRefusal(attempt.attempts);
}

/**
 * Returns the text that is hashed. It includes the merchant's id, so that one merchant's hash is useless for another.
 */
export function pinHashInput(merchantId: number, pin: string): string {
  return `${merchantId} ${pin}`;
}

function startAttempt(deps: PinDeps, merchantId: number): Promise<CountedAttempt> {
  return inTransaction(deps, async (tx) => {
    const controls = await lockControls(tx, merchantId);
    if (controls.pinHash === null) throw new Refusal('PIN_NOT_SET');
    if (controls.pinLockedUntil !== null && isPinLocked(controls, tx.now))
      throw pinLockedRefusal(controls.pinLockedUntil);
    const attempts = countAttempt(controls, tx.now);
    await updateControls(tx, merchantId, pinAttemptColumns(attempts));
    return { pinHash: controls.pinHash, attempts };
  });
}

/** Returns whether the PIN is correct. If the PIN cannot be verified, uncounts the attempt and throws. */
async function isCorrectPin(
  deps: PinDeps,
  merchantId: number,
  { pinHash }: CountedAttempt,
  pin: string,
): Promise<boolean> {
  try {
    const key = deps.secrets.derive('withdrawal-pin');
    return await verifyUnderKey(pinHash, pinHashInput(merchantId, pin), key, accountHashQueue(merchantId));
  } catch (error) {
    await inTransaction(deps, async (tx) => {
      const controls = await lockControls(tx, merchantId);
      await updateControls(tx, merchantId, pinAttemptColumns(uncountAttempt(controls)));
    });
    throw error;
  }
}

/** Resets the count after a correct PIN. Returns false if the PIN was changed meanwhile. */
function resetAttempts(deps: PinDeps, merchantId: number, { pinHash }: CountedAttempt): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const controls = await lockControls(tx, merchantId);
    if (controls.pinHash !== pinHash) return false;
    const noAttempts = { countedPinAttempts: 0, pinLocks: 0, pinLockedUntil: null };
    await updateControls(tx, merchantId, pinAttemptColumns(noAttempts));
    return true;
  });
}

async function notifyLock(deps: PinDeps, merchantId: number, until: Date): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const notification = {
      merchantId,
      title: 'Saques bloqueados',
      body: `O PIN de saque foi digitado errado vezes demais. O bloqueio vai até ${formatMomentForSentence(until)}.`,
      data: { type: 'withdrawals.locked', until: until.toISOString() },
    };
    await writeMessages(tx, await saveNotifications(tx, [notification]));
  });
}
