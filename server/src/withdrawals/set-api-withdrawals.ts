import type { ApiWithdrawals, BodyOf, setApiWithdrawals as endpoint } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, readMerchant } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, updateControls } from './controls-store.ts';
import { readApiWithdrawals } from './read-api-withdrawals.ts';
import { verifyPin } from './verify-pin.ts';

/**
 * Turns withdrawals by API key to saved destinations on or off. Turning them on requires password and PIN; turning
 * them off requires neither, so that it is quick in an emergency. Refused as `confirmPassword` and `verifyPin`.
 */
export async function setApiWithdrawals(
  deps: Deps,
  caller: Caller,
  { enabled, password, withdrawal_pin }: BodyOf<typeof endpoint>,
): Promise<ApiWithdrawals> {
  if (enabled) {
    const merchant = await readMerchant(deps.db, caller.userId);
    if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
    if (password === undefined || withdrawal_pin === undefined)
      throw new Refusal('PASSWORD_REQUIRED', { message: 'Informe a senha e o PIN de saque.' });
    await confirmPassword(deps, caller, password);
    await verifyPin(deps, caller.userId, withdrawal_pin);
  }
  await inTransaction(deps, async (tx) => {
    const controls = await lockControls(tx, caller.userId);
    if (controls.apiEnabled === enabled) return;
    await updateControls(tx, caller.userId, { api_enabled: enabled, api_changed_at: tx.now });
    const body = enabled
      ? 'A chave de API pode sacar para os destinos salvos.'
      : 'A chave de API não pode mais sacar.';
    const data = { type: 'withdrawals.api', enabled };
    const title = 'Saque por API';
    const notification = { merchantId: caller.userId, title, body, data };
    await writeMail(tx, {
      userId: caller.userId,
      kind: 'api-withdrawals',
      subject: title,
      paragraphs: [body],
    });
    await writeMessages(tx, await saveNotifications(tx, [notification]));
  });
  return readApiWithdrawals(deps, caller.userId);
}
