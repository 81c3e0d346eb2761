import { type AuditAction, auditActions } from '@jangada/contract';
import { type UrlId, urlIdFrom } from './url-params.ts';

/** The most characters that the search field for an account accepts. */
export const AUDITED_USER_MAX_LENGTH = 64;

/** The filter of the audit log, kept in the URL. */
export type AuditFilter = {
  /** An account number or username. Selects what the account did and what was done to it. */
  user?: UrlId;
  action?: AuditAction;
  /** The entry whose detail is open. */
  id?: number;
};

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function auditFilterFrom(urlParams: Record<string, unknown>): AuditFilter {
  const userParam = urlParams['user'];
  const user = urlIdFrom(typeof userParam === 'string' ? userParam.trim() : userParam);
  const id = Number(urlParams['id']);
  const action = auditActionNames.find((name) => name === urlParams['action']);
  return {
    ...(user !== undefined && { user }),
    ...(action !== undefined && { action }),
    ...(Number.isSafeInteger(id) && id > 0 && { id }),
  };
}

/** The actions that the audit log records, sorted by their displayed names. */
export const auditActionNames: readonly AuditAction[] = Object.entries(auditActions)
  .sort(([, a], [, b]) => a.localeCompare(b, 'pt-BR'))
  // The cast is safe, because the keys of the constant `auditActions` are exactly the actions.
  .map(([name]) => name as AuditAction);
