import type { checkWithdrawalPin, ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readControls } from './controls-store.ts';
import { holdOf } from './hold-withdrawals.ts';
import { isLocked } from './pin.ts';

/** Whether a merchant has a PIN, and until when withdrawals are locked or held. */
export async function readPinState(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
): Promise<ResponseOf<typeof checkWithdrawalPin>> {
  const controls = await readControls(db, merchantId);
  const now = clock.now();
  return {
    has_pin: controls.pinHash !== null,
    locked_until: isLocked(controls, now) ? (controls.pinLockedUntil?.toISOString() ?? null) : null,
    held_until: holdOf(controls, now)?.until.toISOString() ?? null,
  };
}
