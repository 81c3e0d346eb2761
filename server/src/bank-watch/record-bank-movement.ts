import { randomUUID } from 'node:crypto';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility } from '../identity/index.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { discardBalanceComparison } from './balance-store.ts';
import {
  type BankMovement,
  findBankMovement,
  insertBankMovement,
  type NewBankMovement,
} from './bank-movement-store.ts';

/** The ledger movement that books each kind. */
const ledgerMovements = {
  tariff: movements.bankTariffCharged,
  'fees-taken': movements.feesTaken,
  'top-up': movements.toppedUp,
} as const;

/**
 * Access to the call's idempotency key: a call that is repeated because its response was lost must not record the
 * movement twice. `resumedId`: the id under which the first call recorded, or tried to record, the movement.
 */
type Idempotency = { readonly resumedId: string | undefined; remember(id: string): Promise<void> };

/**
 * Records a movement of the bank account outside Pix (a tariff, fees taken out, money added), so that the ledger
 * matches the account. The movement is booked against the platform's earnings, which may go below zero. Afterwards,
 * `compareBalance` compares the balances in its next run, without waiting for the night. Refuses with AMOUNT_INVALID,
 * and with FORBIDDEN if the caller has lost the permission.
 */
export async function recordBankMovement(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  request: Omit<NewBankMovement, 'id'>,
  idempotency?: Idempotency,
): Promise<BankMovement> {
  const resumedId = idempotency?.resumedId;
  const existingMovement = resumedId === undefined ? undefined : await findBankMovement(deps.db, resumedId);
  if (existingMovement !== undefined) return existingMovement;
  if (request.amountCents <= 0) throw new Refusal('AMOUNT_INVALID');
  const movement = { ...request, id: resumedId ?? randomUUID() };
  await idempotency?.remember(movement.id);
  return inTransaction(deps, async (tx) => {
    const { id, kind, amountCents, description, recordedBy, happenedAt } = movement;
    await recheckAbility(tx, recordedBy, 'run-operations');
    await insertBankMovement(tx, movement);
    await insertAuditEntry(tx, {
      actor_id: recordedBy,
      action: 'bank movement recorded',
      subject_id: PLATFORM,
      reason: description,
      before: {},
      after: { id, kind, amount_cents: amountCents, happened_at: happenedAt.toISOString() },
    });
    await discardBalanceComparison(tx);
    await post(tx, ledgerMovements[kind]({ merchantId: PLATFORM, reference: id, amountCents }));
    return { id, kind, amountCents, description, happenedAt, recordedAt: tx.now };
  });
}
