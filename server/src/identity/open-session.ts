import { deviceName } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { notifyInDashboard } from './second-factor.ts';
import { hashToken, newToken, SESSION_MAX_MS } from './session.ts';
import { insertSession } from './session-store.ts';
import { forgetOldestDevices, isNewDevice, rememberDevice } from './store.ts';

/** How many browsers are remembered for one account. */
const DEVICES_KEPT = 50;
/** A first sign-in this soon after the account was created is assumed to be its owner's, who is then not notified. */
const ACCOUNT_NEW_MS = 3_600_000;

/** Where a call without a session comes from. */
export type ClientInfo = {
  /** The client's address, resolved through trusted proxies. */
  readonly address: string;
  readonly userAgent: string;
  /** The random token that identifies the browser, from its cookie. */
  readonly device?: string | undefined;
};

/**
 * Opens a session after a successful sign-in and returns its token. Remembers the browser, and notifies the owner if
 * the browser was unknown to the account. `isFactorVerified` says that a second factor was entered too.
 */
export async function openSession(
  tx: Tx,
  userId: number,
  visitor: ClientInfo,
  isFactorVerified = false,
): Promise<string> {
  const token = newToken();
  const deviceHash = visitor.device === undefined ? null : hashToken(visitor.device);
  const shouldNotifyOwner = await isNewDevice(tx.db, {
    userId,
    deviceHash,
    newSince: new Date(tx.now.getTime() - ACCOUNT_NEW_MS),
  });
  await insertSession(tx.db, {
    token_hash: hashToken(token),
    user_id: userId,
    created_at: tx.now,
    last_seen_at: tx.now,
    expires_at: new Date(tx.now.getTime() + SESSION_MAX_MS),
    password_at: tx.now,
    factor_at: isFactorVerified ? tx.now : null,
    user_agent: visitor.userAgent.slice(0, 400),
    address: visitor.address,
  });
  if (shouldNotifyOwner) await notifyNewDevice(tx, userId, visitor);
  if (deviceHash !== null) {
    await rememberDevice(tx.db, userId, deviceHash, tx.now);
    await forgetOldestDevices(tx.db, userId, DEVICES_KEPT);
  }
  return token;
}

/** Notifies the owner of a sign-in from a new browser: it may be the owner's own or somebody else's. */
async function notifyNewDevice(
  tx: Tx,
  userId: number,
  { userAgent, address }: Pick<ClientInfo, 'userAgent' | 'address'>,
): Promise<void> {
  const title = 'Novo acesso à sua conta';
  const body = `Entraram na sua conta por um navegador que ainda não a tinha usado: ${deviceName(userAgent) ?? 'um aparelho desconhecido'}, endereço ${address}.`;
  await writeMail(tx, { userId, kind: 'new-device', subject: title, paragraphs: [body] });
  await notifyInDashboard(tx, userId, { type: 'security.new-device', title, body });
}
