/*
 * Messages for open screens. A transaction writes them to the outbox; after its commit a loop announces them by NOTIFY
 * to every process that serves screens, and each process receives them with a listener.
 */
export {
  ANNOUNCEMENTS_CHANNEL,
  type AnnouncedMessage,
  readAnnouncement,
} from './announcement.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './create-outbox.ts';
export { createListener, type Listener } from './listener.ts';
export { buildMessagesSql, type OutboxMessage, showChange, writeMessages } from './outbox.ts';
