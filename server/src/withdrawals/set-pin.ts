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
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, readControls, updateControls } from './controls-store.ts';
import { holdMs, holdOf, putHold } from './hold-withdrawals.ts';
import { isLocked, isSimplePin } from './pin.ts';
import { type PinDeps, pinText } from './verify-pin.ts';

/**
 * Sets the PIN, confirmed by the account's password. A first PIN works at once; a changed one holds withdrawals for a
 * day and lifts no lock. Idempotent: setting the current PIN again changes nothing. Refused with
 * ACCOUNT_NOT_APPROVED, PIN_MISMATCH, PIN_TOO_SIMPLE, or as `confirmPassword`.
 */
export async function setPin(
  deps: PinDeps,
  caller: Caller,
  wanted: BodyOf<typeof setWithdrawalPin>,
): Promise<ResponseOf<typeof setWithdrawalPin>> {
  const merchantId = caller.userId;
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (wanted.new_pin !== wanted.confirm_pin) throw new Refusal('PIN_MISMATCH');
  if (isSimplePin(wanted.new_pin)) throw new Refusal('PIN_TOO_SIMPLE');
  await confirmPassword(deps, caller, wanted.current_password);

  const message = await replacePin(deps, merchantId, wanted.new_pin);
  return { success: true, message, ...(await readPinState(deps, merchantId)) };
}

/**
 * Sets the PIN for a caller who is already authenticated, and returns the message to show. Retries if the PIN was
 * changed concurrently.
 */
export async function replacePin(deps: PinDeps, merchantId: number, pin: string): Promise<string> {
  const key = deps.secrets.derive('withdrawal-pin');
  const text = pinText(merchantId, pin);
  for (;;) {
    const { pinHash } = await readControls(deps.db, merchantId);
    if (pinHash !== null && (await verifyUnderKey(pinHash, text, key, accountHashQueue(merchantId))))
      return firstText;
    const fresh = await hashUnderKey(text, key, accountHashQueue(merchantId));
    const told = await inTransaction(deps, (tx) => writePin(tx, merchantId, pinHash, fresh));
    if (told !== undefined) return told;
  }
}

const firstText = 'PIN de saque definido.';

async function writePin(
  tx: Tx,
  merchantId: number,
  seenHash: string | null,
  pinHash: string,
): Promise<string | undefined> {
  const controls = await lockControls(tx, merchantId);
  if (controls.pinHash !== seenHash) return undefined;
  await updateControls(tx, merchantId, { pin_hash: pinHash, pin_set_at: tx.now });
  if (seenHash === null) {
    await tell(tx, merchantId, firstText);
    return firstText;
  }
  await putHold(tx, controls, 'pin-changed');
  const until = formatMomentForSentence(new Date(tx.now.getTime() + holdMs));
  const text = `PIN de saque alterado. Por segurança, os saques ficam suspensos até ${until}.`;
  await tell(tx, merchantId, text);
  return text;
}

async function tell(tx: Tx, merchantId: number, body: string): Promise<void> {
  const title = 'PIN de saque';
  const notification = { merchantId, title, body, data: { type: 'withdrawals.pin' } };
  await writeMail(tx, { userId: merchantId, kind: 'pin', subject: title, paragraphs: [body] });
  await writeMessages(tx, await saveNotifications(tx, [notification]));
}

/** Whether a merchant has a PIN, and until when withdrawals are locked or held. */
export async function readPinState(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
): Promise<ResponseOf<typeof checkWithdrawalPin>> {
  const controls = await readControls(db, merchantId);
  const now = clock.now();
  return {
    has_pin: controls.pinHash !== null,
    locked_until: isLocked(controls, now) ? (controls.pinLockedUntil?.toISOString() ?? null) : null,
    held_until: holdOf(controls, now)?.until.toISOString() ?? null,
  };
}
