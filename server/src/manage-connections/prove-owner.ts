import type { ownerProof } from '@jangada/contract';
import type { infer as Infer } from 'zod/mini';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { confirmPassword, requireFactor } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { readPinState, verifyPin } from '../withdrawals/index.ts';

export type OwnerProof = Infer<typeof ownerProof>;

/**
 * Demands what only the owner has, before a call opens or closes a way for money: the password, a recent second factor
 * and, if the account has one, the PIN. Refused with PASSWORD_WRONG, STEP_UP_REQUIRED, PIN_WRONG or PIN_LOCKED.
 */
export async function proveOwner(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  { password, pin }: OwnerProof,
  stepUp: string | undefined,
): Promise<void> {
  await requireFactor(deps, caller, stepUp);
  await confirmPassword(deps, caller, password);
  const { has_pin } = await readPinState(deps, { merchantId: caller.accountId });
  if (!has_pin) return;
  if (pin === undefined) throw new Refusal('PIN_WRONG', { message: 'Informe o PIN de saque.' });
  await verifyPin(deps, caller.accountId, pin);
}
