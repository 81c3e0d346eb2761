import type { ApiWithdrawals, BodyOf, saveDestination as endpoint } from '@jangada/contract';
import { formatPixKey } from '@jangada/pix';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, readMerchant } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls } from './controls-store.ts';
import { selectDestinations, upsertDestination } from './destinations-store.ts';
import { maskKey } from './mail-withdrawal.ts';
import { readApiWithdrawals } from './read-api-withdrawals.ts';
import { type ValidatedWithdrawal, validatePayee } from './validate-withdrawal.ts';
import { verifyPin } from './verify-pin.ts';

const mostDestinations = 20;

/**
 * Saves where an API key may withdraw to. Saving a key again changes its label.
 * Refused with ACCOUNT_NOT_APPROVED, DESTINATION_LIMIT, or as `readPayee`, `confirmPassword` and `verifyPin`.
 */
export async function saveDestination(
  deps: Deps,
  caller: Caller,
  body: BodyOf<typeof endpoint>,
): Promise<ApiWithdrawals> {
  const merchantId = caller.userId;
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  const payee = validatePayee(deps.config, merchant, { keyType: body.pix_key_type, pixKey: body.pixKey });
  await confirmPassword(deps, caller, body.password);
  await verifyPin(deps, merchantId, body.withdrawal_pin);

  await keepDestination(deps, merchantId, { ...payee, label: body.label });
  return readApiWithdrawals(deps, merchantId);
}

export type Destination = Pick<ValidatedWithdrawal, 'keyType' | 'pixKey'> & { readonly label: string };

/**
 * Saves it for a caller who is already authenticated; the key as `readPayee` returns it. Refused with
 * DESTINATION_LIMIT.
 */
export async function keepDestination(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  destination: Destination,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await lockControls(tx, merchantId);
    const saved = await selectDestinations(tx.db, merchantId);
    const isNew = saved.every(({ pix_key }) => pix_key !== destination.pixKey);
    if (isNew && saved.length >= mostDestinations) throw new Refusal('DESTINATION_LIMIT');
    await upsertDestination(tx, merchantId, destination, destination.label);
    if (isNew) await tellDestination(tx, merchantId, destination);
  });
}

async function tellDestination(tx: Tx, merchantId: number, { keyType, pixKey }: Destination): Promise<void> {
  const text = (named: string) =>
    `A chave de API pode sacar para ${named}, se o saque por API estiver ligado.`;
  const title = 'Novo destino de saque';
  await writeMail(tx, {
    userId: merchantId,
    kind: 'api-withdrawals',
    subject: title,
    paragraphs: [text(maskKey(pixKey))],
  });
  const data = { type: 'withdrawals.destination', pix_key: pixKey };
  const body = text(formatPixKey(keyType, pixKey));
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, title, body, data }]));
}
