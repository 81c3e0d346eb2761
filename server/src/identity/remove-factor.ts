import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { requirePassword } from './confirm-password.ts';
import {
  clearFactorGiven,
  deletePasskey,
  deleteTotp,
  lockFactors,
  readFactors,
  replaceRecoveryCodes,
} from './factor-store.ts';
import { notifyFactorChange } from './notify-factor-change.ts';
import { requireFactor } from './require-factor.ts';
import { hasFactor, isFactorDemanded } from './second-factor.ts';

type Removal = {
  /** False if the factor does not exist. */
  readonly remove: (tx: Tx, userId: number) => Promise<boolean>;
  readonly told: Parameters<typeof notifyFactorChange>[2];
};

const totpRemoval: Removal = {
  remove: deleteTotp,
  told: {
    type: 'security.totp-removed',
    title: 'Aplicativo autenticador desligado',
    body: 'O aplicativo autenticador foi desligado da sua conta.',
  },
};

const passkeyRemoval = (id: string): Removal => ({
  remove: async (tx, userId) => (await deletePasskey(tx, userId, id)) !== undefined,
  told: {
    type: 'security.passkey-removed',
    title: 'Chave de acesso removida',
    body: 'Uma chave de acesso foi removida da sua conta.',
  },
});

/**
 * Removes an account's authenticator app or one of its passkeys, and the recovery codes with the last factor. Refused
 * with NOT_FOUND, SECOND_FACTOR_DEMANDED where the role requires a factor, or as `requirePassword` and `requireFactor`.
 */
export async function removeFactor(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  which: 'totp' | { readonly passkey: string },
): Promise<void> {
  await requirePassword(deps, caller, undefined);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  const { remove, told } = which === 'totp' ? totpRemoval : passkeyRemoval(which.passkey);
  await inTransaction(deps, async (tx) => {
    const { role } = await lockFactors(tx, userId);
    if (!(await remove(tx, userId))) throw new Refusal('NOT_FOUND');
    if (!hasFactor(await readFactors(tx.db, userId))) {
      if (isFactorDemanded(deps.config, role)) throw new Refusal('SECOND_FACTOR_DEMANDED');
      await replaceRecoveryCodes(tx, userId, []);
      await clearFactorGiven(tx, userId);
    }
    await notifyFactorChange(tx, userId, told);
  });
}
