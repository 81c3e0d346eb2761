import {
  type ApiWithdrawalSettings,
  type BodyOf,
  centsFromBrl,
  type saveDestination as saveEndpoint,
  type setApiWithdrawals as setEndpoint,
} from '@jangada/contract';
import { formatPixKey } from '@jangada/pix';
import { forgetDestination, isApprovedDestination, requireApproval } from '../approvals/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, readMerchant } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { refuseWhileHeld } from '../money-hold.ts';
import { saveNotifications } from '../notifications/index.ts';
import { showChange, writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, readControls, updateControls } from './controls-store.ts';
import { deleteDestination, selectDestinations, upsertDestination } from './destinations-store.ts';
import { maskPixKey } from './publish-withdrawal-event.ts';
import { type ValidatedWithdrawal, validatePayee } from './validate-withdrawal.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Turns withdrawals by API key to saved destinations on or off, and notifies the merchant. Turning them on requires
 * password and PIN; turning them off requires neither, so that it is quick in an emergency. Refuses with
 * ACCOUNT_NOT_APPROVED, WITHDRAWALS_HELD, PASSWORD_REQUIRED, and with the refusals of `confirmPassword` and `verifyPin`.
 */
export async function setApiWithdrawals(
  deps: Deps,
  caller: Caller,
  { enabled, password, withdrawal_pin }: BodyOf<typeof setEndpoint>,
): Promise<ApiWithdrawalSettings> {
  if (enabled) {
    const merchant = await readMerchant(deps.db, caller.accountId);
    if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
    if (password === undefined || withdrawal_pin === undefined)
      throw new Refusal('PASSWORD_REQUIRED', { message: 'Informe a senha e o PIN de saque.' });
    await confirmPassword(deps, caller, password);
    await verifyPin(deps, caller.accountId, withdrawal_pin);
    const order = { action: 'Ligar o saque por API' };
    await requireApproval(deps, { merchantId: caller.accountId, kind: 'key', madeBy: caller.userId, order });
  }
  await inTransaction(deps, async (tx) => {
    const controls = await lockControls(tx, caller.accountId);
    if (controls.apiEnabled === enabled) return;
    if (enabled) await refuseWhileHeld(tx, personOf(caller), 'o saque por API não pode ser ligado');
    showChange(tx, caller.accountId, 'destinations');
    await updateControls(tx, caller.accountId, { api_enabled: enabled, api_changed_at: tx.now });
    const body = enabled
      ? 'A chave de API pode sacar para os destinos salvos.'
      : 'A chave de API não pode mais sacar.';
    const data = { type: 'withdrawals.api', enabled };
    const title = 'Saque por API';
    const notification = { merchantId: caller.accountId, title, body, data };
    await writeMail(tx, {
      userId: caller.accountId,
      kind: 'api-withdrawals',
      subject: title,
      paragraphs: [body],
    });
    await writeMessages(tx, await saveNotifications(tx, [notification]));
  });
  return readApiWithdrawalSettings(deps, caller.accountId);
}

/** Reads whether a merchant's API key may withdraw, and the destinations to which it may. */
export async function readApiWithdrawalSettings(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<ApiWithdrawalSettings> {
  const [controls, destinations] = await Promise.all([
    readControls(db, merchantId),
    selectDestinations(db, merchantId),
  ]);
  return { enabled: controls.apiEnabled, destinations };
}

const maxDestinations = 20;

/**
 * Saves a destination: a Pix key to which the merchant's API key may withdraw. Saving the same key again changes the
 * label. Refuses with ACCOUNT_NOT_APPROVED, WITHDRAWALS_HELD, DESTINATION_LIMIT, and with the refusals of `validatePayee`,
 * `confirmPassword` and `verifyPin`.
 */
export async function confirmAndSaveDestination(
  deps: Deps,
  caller: Caller,
  body: BodyOf<typeof saveEndpoint>,
): Promise<ApiWithdrawalSettings> {
  const merchantId = caller.accountId;
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  const payee = validatePayee(deps.config, merchant, { keyType: body.pix_key_type, pixKey: body.pixKey });
  await confirmPassword(deps, caller, body.password);
  await verifyPin(deps, merchantId, body.withdrawal_pin);
  const dayLimitCents = centsFromBrl(body.day_limit) ?? 0;
  if (!(await isApprovedDestination(deps, merchantId, { pixKey: payee.pixKey, dayLimitCents }))) {
    const order = { pix_key: payee.pixKey, pix_key_type: payee.keyType, day_limit_cents: dayLimitCents };
    await requireApproval(deps, { merchantId, kind: 'destination', madeBy: caller.userId, order });
  }

  await storeDestination(deps, personOf(caller), { ...payee, label: body.label });
  return readApiWithdrawalSettings(deps, merchantId);
}

/** The person who acts, and the account for which they do. */
function personOf({ accountId: merchantId, userId }: Caller) {
  return { merchantId, userId };
}

type Destination = Pick<ValidatedWithdrawal, 'keyType' | 'pixKey'> & { readonly label: string };

/**
 * Stores a destination for a caller who is already authenticated, and notifies the merchant if it is new. The
 * destination's key must come from `validatePayee`. Refuses with DESTINATION_LIMIT, and with WITHDRAWALS_HELD while
 * the account, or what the person asks for, is held.
 */
export async function storeDestination(
  deps: Pick<Deps, 'db' | 'clock'>,
  person: { readonly merchantId: number; readonly userId: number },
  destination: Destination,
): Promise<void> {
  const { merchantId } = person;
  await inTransaction(deps, async (tx) => {
    await lockControls(tx, merchantId);
    const savedDestinations = await selectDestinations(tx.db, merchantId);
    const isNew = savedDestinations.every(({ pix_key }) => pix_key !== destination.pixKey);
    if (isNew && savedDestinations.length >= maxDestinations) throw new Refusal('DESTINATION_LIMIT');
    if (isNew) await refuseWhileHeld(tx, person, 'não se salvam destinos novos');
    await upsertDestination(tx, merchantId, destination, destination.label);
    if (isNew) await notifyNewDestination(tx, merchantId, destination);
  });
}

async function notifyNewDestination(
  tx: Tx,
  merchantId: number,
  { keyType, pixKey }: Destination,
): Promise<void> {
  // E-mail is not confidential, so it shows the key masked; the notification shows the whole key.
  const text = (shownKey: string) =>
    `A chave de API pode sacar para ${shownKey}, se o saque por API estiver ligado.`;
  const title = 'Novo destino de saque';
  await writeMail(tx, {
    userId: merchantId,
    kind: 'api-withdrawals',
    subject: title,
    paragraphs: [text(maskPixKey(pixKey))],
  });
  const data = { type: 'withdrawals.destination', pix_key: pixKey };
  const body = text(formatPixKey(keyType, pixKey));
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, title, body, data }]));
}

/**
 * Removes a saved destination, so that the API key can no longer withdraw to its Pix key. Does nothing if the Pix key
 * is not saved.
 */
export async function removeDestination(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  pixKey: string,
): Promise<ApiWithdrawalSettings> {
  await inTransaction(deps, async (tx) => {
    await lockControls(tx, merchantId);
    if (await deleteDestination(tx, merchantId, pixKey)) await forgetDestination(tx, merchantId, pixKey);
  });
  return readApiWithdrawalSettings(deps, merchantId);
}
