import { type AuditAction, auditActions } from '@jangada/contract';
import { type AddressId, addressId } from './address-id.ts';

export const AUDITED_USER_MAX_LENGTH = 64;

/** What of the audit log is shown; it lives in the address. */
export type AuditFilter = {
  /** The number of an account, or its username: what it did, and what was done to it. */
  user?: AddressId;
  action?: AuditAction;
  /** The entry that is open. */
  id?: number;
};

/** Reads the filter from an address. What does not fit is left out: an old or broken link still opens. */
export function auditFilterFrom(address: Record<string, unknown>): AuditFilter {
  const user = addressId(typeof address['user'] === 'string' ? address['user'].trim() : address['user']);
  const id = Number(address['id']);
  const action = auditActionNames.find((name) => name === address['action']);
  return {
    ...(user !== undefined && { user }),
    ...(action !== undefined && { action }),
    ...(Number.isSafeInteger(id) && id > 0 && { id }),
  };
}

/** The acts by the words that they are shown in. */
export const auditActionNames: readonly AuditAction[] = Object.entries(auditActions)
  .sort(([, one], [, other]) => one.localeCompare(other, 'pt-BR'))
  // The keys of a constant are its names.
  .map(([name]) => name as AuditAction);
