import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { accountHashQueue, verifyUnderKey } from '../identity/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { guardColumns, lockControls, updateControls } from './controls-store.ts';
import { countTry, isLocked, type PinGuard, pinLocked, pinWrong, uncountTry } from './pin.ts';

export type PinDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

type Try = { readonly pinHash: string; readonly guard: PinGuard };

/**
 * Verifies a merchant's PIN. An attempt is counted before it is verified, so concurrent requests get no extra
 * attempts. Refused with PIN_NOT_SET, PIN_LOCKED, PIN_WRONG or OVERLOADED.
 */
export async function verifyPin(deps: PinDeps, merchantId: number, pin: string): Promise<void> {
  const taken = await takeTry(deps, merchantId);
  if ((await isRight(deps, merchantId, taken, pin)) && (await forgetTries(deps, merchantId, taken))) return;
  if (taken.guard.pinLockedUntil !== null) await tellLock(deps, merchantId, taken.guard.pinLockedUntil);
  throw pinWrong(taken.guard);
}

/** The hashed text includes the merchant's id, so one merchant's hash is useless for another. */
export function pinText(merchantId: number, pin: string): string {
  return `${merchantId} ${pin}`;
}

function takeTry(deps: PinDeps, merchantId: number): Promise<Try> {
  return inTransaction(deps, async (tx) => {
    const controls = await lockControls(tx, merchantId);
    if (controls.pinHash === null) throw new Refusal('PIN_NOT_SET');
    if (controls.pinLockedUntil !== null && isLocked(controls, tx.now))
      throw pinLocked(controls.pinLockedUntil);
    const guard = countTry(controls, tx.now);
    await updateControls(tx, merchantId, guardColumns(guard));
    return { pinHash: controls.pinHash, guard };
  });
}

/** Takes back an attempt that could not be verified. */
async function isRight(deps: PinDeps, merchantId: number, { pinHash }: Try, pin: string): Promise<boolean> {
  try {
    const key = deps.secrets.derive('withdrawal-pin');
    return await verifyUnderKey(pinHash, pinText(merchantId, pin), key, accountHashQueue(merchantId));
  } catch (error) {
    await inTransaction(deps, async (tx) => {
      const controls = await lockControls(tx, merchantId);
      await updateControls(tx, merchantId, guardColumns(uncountTry(controls)));
    });
    throw error;
  }
}

/** A correct PIN resets the count. Returns false if the PIN was changed meanwhile. */
function forgetTries(deps: PinDeps, merchantId: number, { pinHash }: Try): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const controls = await lockControls(tx, merchantId);
    if (controls.pinHash !== pinHash) return false;
    await updateControls(tx, merchantId, guardColumns({ wrongPins: 0, pinLocks: 0, pinLockedUntil: null }));
    return true;
  });
}

async function tellLock(deps: PinDeps, merchantId: number, until: Date): Promise<void> {
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
