import type { Tx } from '../db/transaction.ts';
import { voidSubmissions } from './store.ts';

const dayMs = 24 * 3_600_000;

/** Voids the approved or pending verification of an account whose document has changed: new documents must be sent. */
export async function voidVerification(
  tx: Tx,
  merchantId: number,
  { decidedBy, keepDays }: { readonly decidedBy: number; readonly keepDays: number },
): Promise<void> {
  const remove_at = new Date(tx.now.getTime() + keepDays * dayMs);
  await voidSubmissions(tx, merchantId, { reason: voidText, decided_by: decidedBy, remove_at });
}

const voidText = 'O documento da conta mudou: envie as imagens do documento novo.';
