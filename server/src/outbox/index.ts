export { ANNOUNCEMENTS_CHANNEL, type Announced, readAnnouncement } from './announcement.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './create-outbox.ts';
export { createListener, type Listener } from './listener.ts';
export { type OutboxMessage, writeMessages } from './outbox.ts';
