import type { AuditAction, ChangedCustomer, NewCustomer } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller, IdempotencyHandle } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { newTimeId } from '../time-id.ts';
import { type CustomerFacts, factsFrom, newToken, type StoredCustomer } from './customer.ts';
import { findCustomer, insertCustomer, lockCustomer, updateCustomer, updatePageToken } from './store.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/**
 * Enters a customer. Refused with CUSTOMER_EXISTS if an active one has the document or the external id. A retry under the
 * same idempotency key gets the same customer.
 */
export async function createCustomer(
  deps: WriteDeps,
  caller: Caller,
  request: NewCustomer,
  idempotency?: IdempotencyHandle,
): Promise<StoredCustomer> {
  const merchantId = caller.accountId;
  const existing = idempotency?.resumedId && (await findCustomer(deps.db, merchantId, idempotency.resumedId));
  if (existing) return existing;
  const id = idempotency?.resumedId ?? newTimeId(deps.clock.now());
  await idempotency?.remember(id);
  const origin = {
    merchantId,
    id,
    pageToken: newToken(merchantId),
    stopToken: newToken(merchantId),
    createdBy: caller.authMethod === 'session' ? caller.userId : null,
  };
  return refusingTwins(() =>
    inTransaction(deps, async (tx) => {
      const customer = await insertCustomer(tx, origin, factsFrom(request));
      await recordChange(tx, caller, customer, { action: 'customer added' });
      return customer;
    }),
  );
}

/**
 * Replaces what is known of a customer, and archives or restores it. Charges keep the name and the document that they
 * were made with. Refused with STALE_VERSION if the caller saw another version, and with CUSTOMER_EXISTS.
 */
export async function changeCustomer(
  deps: WriteDeps,
  caller: Caller,
  id: string,
  request: ChangedCustomer,
): Promise<StoredCustomer> {
  return refusingTwins(() =>
    inTransaction(deps, async (tx) => {
      const before = await lockCustomer(tx, caller.accountId, id);
      if (before === undefined) throw new Refusal('CUSTOMER_NOT_FOUND');
      if (before.version !== request.version) {
        const message = 'Este cliente foi alterado enquanto isso. Recarregue e tente de novo.';
        throw new Refusal('STALE_VERSION', { message });
      }
      const archivedAt = request.archived ? (before.archivedAt ?? tx.now) : null;
      const after = await updateCustomer(tx, before, factsFrom(request), archivedAt);
      await recordChange(tx, caller, after, {
        action: actionOf(before, after),
        changed: changedFacts(before, after),
      });
      return after;
    }),
  );
}

/** Gives the customer's page another address. The old one leads nowhere from then on. */
export async function renewPage(deps: WriteDeps, caller: Caller, id: string): Promise<StoredCustomer> {
  const merchantId = caller.accountId;
  return inTransaction(deps, async (tx) => {
    const customer = await updatePageToken(tx, { merchantId, id }, newToken(merchantId));
    if (customer === undefined) throw new Refusal('CUSTOMER_NOT_FOUND');
    await recordChange(tx, caller, customer, { action: 'customer page renewed' });
    return customer;
  });
}

async function refusingTwins(write: () => Promise<StoredCustomer>): Promise<StoredCustomer> {
  try {
    return await write();
  } catch (error) {
    const field = fieldsOfIndexes.get(violatedConstraint(error) ?? '');
    if (field === undefined) throw error;
    const message =
      field === 'document'
        ? 'Já há um cliente com este documento.'
        : 'Já há um cliente com este external_id.';
    throw new Refusal('CUSTOMER_EXISTS', { message, details: { fields: [{ field, message }] } });
  }
}

const fieldsOfIndexes = new Map([
  ['customers_document', 'document'],
  ['customers_external_id', 'external_id'],
]);

function actionOf(before: StoredCustomer, after: StoredCustomer): AuditAction {
  if (before.archivedAt === null && after.archivedAt !== null) return 'customer archived';
  return before.archivedAt !== null && after.archivedAt === null ? 'customer restored' : 'customer changed';
}

const factNames = [
  'name',
  'document',
  'email',
  'phone',
  'address',
  'note',
  'externalId',
] as const satisfies readonly (keyof CustomerFacts)[];

function changedFacts(before: CustomerFacts, after: CustomerFacts): string[] {
  return factNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/**
 * Records what a person did in the audit log. It keeps the id and the names of the facts that changed, and none of the
 * customer's data, because the log keeps everything for ever.
 */
async function recordChange(
  tx: TxWithSecrets,
  { authMethod, userId, accountId }: Caller,
  { id }: StoredCustomer,
  { action, changed }: { readonly action: AuditAction; readonly changed?: readonly string[] },
): Promise<void> {
  if (authMethod !== 'session') return;
  await insertAuditEntry(tx, {
    actor_id: userId,
    action,
    subject_id: accountId,
    reason: null,
    before: { customer: id },
    after: { customer: id, ...(changed && { changed }) },
  });
}
