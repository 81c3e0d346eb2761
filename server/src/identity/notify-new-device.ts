import { deviceName } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { notifyInPanel } from './notify-factor-change.ts';
import type { ClientInfo } from './open-session.ts';

/**
 * Notifies the owner of a sign-in from a browser unknown to the account; it may have been the owner or somebody else.
 */
export async function notifyNewDevice(
  tx: Tx,
  userId: number,
  { userAgent, address }: Pick<ClientInfo, 'userAgent' | 'address'>,
): Promise<void> {
  const title = 'Novo acesso à sua conta';
  const body = `Entraram na sua conta por um navegador que ainda não a tinha usado: ${deviceName(userAgent) ?? 'um aparelho desconhecido'}, endereço ${address}.`;
  await writeMail(tx, { userId, kind: 'new-device', subject: title, paragraphs: [body] });
  await notifyInPanel(tx, userId, { type: 'security.new-device', title, body });
}
