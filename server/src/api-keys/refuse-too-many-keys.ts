import { MAX_SCOPED_KEYS } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { countKeys } from './scoped-store.ts';

/**
 * Refused with KEY_LIMIT when too many keys of an account work. Replaced ones count apart, so that whoever has all the
 * keys there may be can still rotate each.
 */
export async function refuseTooManyKeys(tx: Tx, merchantId: number): Promise<void> {
  const { inUse, replaced } = await countKeys(tx, merchantId);
  if (inUse > MAX_SCOPED_KEYS) throw new Refusal('KEY_LIMIT');
  if (replaced > MAX_SCOPED_KEYS)
    throw new Refusal('KEY_LIMIT', {
      message: 'Há chaves trocadas demais que ainda valem. Revogue as antigas antes de trocar outra.',
    });
}
