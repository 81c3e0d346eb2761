export type { Outbox, OutboxMessage } from './outbox.ts';
export { writeMessages } from './outbox.ts';
