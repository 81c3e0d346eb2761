export { type AuditEntry, insertAuditEntry } from './store.ts';
