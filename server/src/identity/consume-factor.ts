import { errors } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { readFactors } from './factor-store.ts';
import { notifyFactorChange } from './notify-factor-change.ts';
import { type SubmittedFactor, tryConsumeFactor, type VerifiedFactor } from './verify-factor.ts';

/** Requires exactly one of code and credential. Refused with INVALID_BODY. */
export function checkSubmittedFactor({ code, credential }: SubmittedFactor): void {
  if ((code === undefined) === (credential === undefined))
    throw new Refusal('INVALID_BODY', { message: 'Informe o código, ou a resposta da chave de acesso.' });
}

/** The refusal of an invalid factor, with a message that fits its kind. */
export function wrongFactor({ credential }: SubmittedFactor): Refusal {
  const { message } = errors[credential === undefined ? 'SECOND_FACTOR_WRONG' : 'PASSKEY_NOT_ACCEPTED'];
  return new Refusal('SECOND_FACTOR_WRONG', { message });
}

/** Consumes a verified factor, once. Refused with SECOND_FACTOR_WRONG when a concurrent request consumed it first. */
export async function consumeFactor(tx: Tx, userId: number, factor: VerifiedFactor): Promise<void> {
  if (!(await tryConsumeFactor(tx, userId, factor))) throw new Refusal('SECOND_FACTOR_WRONG');
  if (factor.method !== 'recovery-code') return;
  const { recoveryCodes } = await readFactors(tx.db, userId);
  await notifyFactorChange(tx, userId, {
    type: 'security.recovery-code-used',
    title: 'Código de recuperação usado',
    body: `Um código de recuperação da sua conta foi usado no lugar do segundo fator. Códigos que restam: ${recoveryCodes}.`,
  });
}
