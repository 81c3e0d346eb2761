import type { ApiWithdrawals, BodyOf, saveDestination as endpoint } from '@jangada/contract';
import { formatPixKey } from '@jangada/pix';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, readMerchant } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { keepNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls } from './controls-store.ts';
import { selectDestinations, upsertDestination } from './destinations-store.ts';
import { maskKey } from './mail-withdrawal.ts';
import { provePin } from './prove-pin.ts';
import { readApiWithdrawals } from './read-api-withdrawals.ts';
import { readPayee } from './read-order.ts';

const mostDestinations = 20;

/**
 * Saves where an API key may withdraw to. Saving a key again changes its label.
 * Refused with ACCOUNT_NOT_APPROVED, DESTINATION_LIMIT, or as `readPayee`, `confirmPassword` and `provePin`.
 */
export async function saveDestination(
  deps: Deps,
  caller: Caller,
  body: BodyOf<typeof endpoint>,
): Promise<ApiWithdrawals> {
  const merchantId = caller.userId;
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  const payee = readPayee(deps.config, merchant, { keyType: body.pix_key_type, pixKey: body.pixKey });
  await confirmPassword(deps, caller, body.password);
  await provePin(deps, merchantId, body.withdrawal_pin);

  await inTransaction(deps, async (tx) => {
    await lockControls(tx, merchantId);
    const saved = await selectDestinations(tx.db, merchantId);
    const isNew = saved.every(({ pix_key }) => pix_key !== payee.pixKey);
    if (isNew && saved.length >= mostDestinations) throw new Refusal('DESTINATION_LIMIT');
    await upsertDestination(tx, merchantId, payee, body.label);
    if (!isNew) return;
    const key = formatPixKey(payee.keyType, payee.pixKey);
    const text = (named: string) =>
      `A chave de API pode sacar para ${named}, se o saque por API estiver ligado.`;
    const data = { type: 'withdrawals.destination', pix_key: payee.pixKey };
    const title = 'Novo destino de saque';
    const notification = { merchantId, title, body: text(key), data };
    await writeMail(tx, {
      userId: merchantId,
      kind: 'api-withdrawals',
      subject: title,
      paragraphs: [text(maskKey(payee.pixKey))],
    });
    await writeMessages(tx, await keepNotifications(tx, [notification]));
  });
  return readApiWithdrawals(deps, merchantId);
}
