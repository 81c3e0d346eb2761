import { type AuditAction, auditActions } from '@jangada/contract';
import { type AddressId, addressId } from './address-search.ts';

export const AUDITED_USER_MAX_LENGTH = 64;

/** The filter of the audit log, kept in the address. */
export type AuditFilter = {
  /** An account number or username: matches what the account did and what was done to it. */
  user?: AddressId;
  action?: AuditAction;
  /** The entry whose detail is open. */
  id?: number;
};

/** Reads the filter from an address. Invalid values are dropped, so that an old or broken link still opens. */
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

/** The actions, sorted by their displayed names. */
export const auditActionNames: readonly AuditAction[] = Object.entries(auditActions)
  .sort(([, a], [, b]) => a.localeCompare(b, 'pt-BR'))
  // The keys of a constant object are its action names.
  .map(([name]) => name as AuditAction);
