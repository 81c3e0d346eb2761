import type { Config } from '../config.ts';
import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import type { Factors } from './factor-store.ts';

const factorMethods = ['totp', 'passkey', 'recovery-code'] as const;
export type FactorMethod = (typeof factorMethods)[number];

/**
 * Returns whether an account has a second factor. Recovery codes do not count as one, because they only stand in for a
 * lost factor.
 */
export function hasFactor({ hasTotp, passkeyCount }: Factors): boolean {
  return hasTotp || passkeyCount > 0;
}

/** Returns the methods by which an account can prove its second factor; an empty list if it has none. */
export function methodsOf(factors: Factors): FactorMethod[] {
  if (!hasFactor(factors)) return [];
  const isAvailable = {
    totp: factors.hasTotp,
    passkey: factors.passkeyCount > 0,
    'recovery-code': factors.recoveryCodeCount > 0,
  };
  return factorMethods.filter((method) => isAvailable[method]);
}

/** Returns whether an account with this role must have a second factor. */
export function isFactorRequired(
  { staffSecondFactor }: Pick<Config, 'staffSecondFactor'>,
  role: string,
): boolean {
  return staffSecondFactor && role !== 'USER';
}

/**
 * Notifies an account's owner, by mail and in the dashboard, that a factor was changed or a recovery code was used. The
 * texts are in Portuguese and contain nothing that a user typed.
 */
export async function notifyFactorChange(
  tx: Tx,
  userId: number,
  change: { readonly type: `security.${string}`; readonly title: string; readonly body: string },
): Promise<void> {
  const { type, title, body } = change;
  await writeMail(tx, { userId, kind: 'factor', subject: title, paragraphs: [body] });
  await notifyInDashboard(tx, userId, { title, body, type });
}

/** Notifies an account's owner in the dashboard only, without a mail. */
export async function notifyInDashboard(
  tx: Tx,
  userId: number,
  { type, title, body }: { readonly type: string; readonly title: string; readonly body: string },
): Promise<void> {
  const notification = { merchantId: userId, title, body, data: { type } };
  await writeMessages(tx, await saveNotifications(tx, [notification]));
}
