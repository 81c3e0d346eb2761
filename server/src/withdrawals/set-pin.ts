import type { BodyOf, checkWithdrawalPin, ResponseOf, setWithdrawalPin } from '@jangada/contract';
import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import {
  accountHashQueue,
  confirmPassword,
  hashUnderKey,
  readMerchant,
  verifyUnderKey,
} from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { findPersonHold, holdDurationMs, longerHold } from '../money-hold.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, readControls, updateControls } from './controls-store.ts';
import { activeHoldOf, writeHold } from './hold-withdrawals.ts';
import { isPinLocked, isSimplePin } from './pin.ts';
import { type PinDeps, pinHashInput } from './verify-pin.ts';

/**
 * Sets the withdrawal PIN, confirmed by the account's password. A first PIN works immediately. A changed PIN holds
 * (delays) withdrawals for a day, and leaves a lock after wrong PINs in force. Setting the current PIN again changes
 * nothing. Refuses with ACCOUNT_NOT_APPROVED, PIN_MISMATCH, PIN_TOO_SIMPLE, and with the refusals of `confirmPassword`.
 */
export async function setPin(
  deps: PinDeps,
  caller: Caller,
  body: BodyOf<typeof setWithdrawalPin>,
): Promise<ResponseOf<typeof setWithdrawalPin>> {
  const merchantId = caller.accountId;
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (body.new_pin !== body.confirm_pin) throw new Refusal('PIN_MISMATCH');
  if (isSimplePin(body.new_pin)) throw new Refusal('PIN_TOO_SIMPLE');
  await confirmPassword(deps, caller, body.current_password);

  const message = await storePin(deps, merchantId, body.new_pin);
  return { success: true, message, ...(await readPinState(deps, { merchantId, userId: caller.userId })) };
}

/**
 * Sets the PIN for a caller who is already authenticated, and returns the message to show. Starts again if another call
 * changed the PIN meanwhile.
 */
export async function storePin(deps: PinDeps, merchantId: number, pin: string): Promise<string> {
  const key = deps.secrets.derive('withdrawal-pin');
  const text = pinHashInput(merchantId, pin);
  for (;;) {
    const { pinHash } = await readControls(deps.db, merchantId);
    if (pinHash !== null && (await verifyUnderKey(pinHash, text, key, accountHashQueue(merchantId))))
      return pinSetText;
    const newHash = await hashUnderKey(text, key, accountHashQueue(merchantId));
    const message = await inTransaction(deps, (tx) => replacePinHash(tx, merchantId, pinHash, newHash));
    if (message !== undefined) return message;
  }
}

const pinSetText = 'PIN de saque definido.';

/**
 * Stores the new PIN and returns the message to show; undefined if another call has changed the PIN since `oldHash` was
 * read.
 */
async function replacePinHash(
  tx: Tx,
  merchantId: number,
  oldHash: string | null,
  newHash: string,
): Promise<string | undefined> {
  const controls = await lockControls(tx, merchantId);
  if (controls.pinHash !== oldHash) return undefined;
  await updateControls(tx, merchantId, { pin_hash: newHash, pin_set_at: tx.now });
  if (oldHash === null) {
    await notifyMerchant(tx, merchantId, pinSetText);
    return pinSetText;
  }
  await writeHold(tx, controls, 'pin-changed');
  const until = formatMomentForSentence(new Date(tx.now.getTime() + holdDurationMs('pin-changed')));
  const text = `PIN de saque alterado. Por segurança, os saques ficam suspensos até ${until}.`;
  await notifyMerchant(tx, merchantId, text);
  return text;
}

async function notifyMerchant(tx: Tx, merchantId: number, body: string): Promise<void> {
  const title = 'PIN de saque';
  const notification = { merchantId, title, body, data: { type: 'withdrawals.pin' } };
  await writeMail(tx, { userId: merchantId, kind: 'pin', subject: title, paragraphs: [body] });
  await writeMessages(tx, await saveNotifications(tx, [notification]));
}

/**
 * Reads whether a merchant has a PIN, and until when withdrawals are locked (after wrong PINs) or held (after a
 * security-relevant change of the account, or of the person who asks).
 */
export async function readPinState(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { merchantId, userId }: { readonly merchantId: number; readonly userId?: number },
): Promise<ResponseOf<typeof checkWithdrawalPin>> {
  const controls = await readControls(db, merchantId);
  const now = clock.now();
  const hold = longerHold(activeHoldOf(controls, now), await findPersonHold(db, userId, now));
  return {
    has_pin: controls.pinHash !== null,
    locked_until: isPinLocked(controls, now) ? (controls.pinLockedUntil?.toISOString() ?? null) : null,
    held_until: hold?.until.toISOString() ?? null,
  };
}
