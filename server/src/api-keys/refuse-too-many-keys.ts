import { MAX_SCOPED_KEYS } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { countKeys } from './scoped-store.ts';

/**
 * Refused with KEY_LIMIT when an account has too many working keys. Replaced keys are counted separately, so that a
 * merchant at the limit can still rotate each key.
 */
export async function refuseTooManyKeys(tx: Tx, merchantId: number): Promise<void> {
  const { inUse, replaced } = await countKeys(tx, merchantId);
  if (inUse > MAX_SCOPED_KEYS) throw new Refusal('KEY_LIMIT');
  if (replaced > MAX_SCOPED_KEYS)
    throw new Refusal('KEY_LIMIT', {
      message: 'Há chaves trocadas demais que ainda valem. Revogue as antigas antes de trocar outra.',
    });
}
