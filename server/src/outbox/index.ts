export { ANNOUNCEMENTS_CHANNEL, type Announced, readAnnouncement } from './announcement.ts';
export { createOutbox, type OutboxOptions, type RunningOutbox } from './create-outbox.ts';
export { createListener, type Listener } from './listener.ts';
export type { Outbox, OutboxMessage } from './outbox.ts';
export { writeMessages } from './outbox.ts';
