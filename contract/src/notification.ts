/** Kinds of notification that can be chosen apart. */
export const notificationKinds = [
  'payments',
  'withdrawals',
  'refunds',
  'disputes',
  'account',
  /** What waits for an administrator; nobody else is told any. */
  'operation',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a push carries, as JSON, once the browser has deciphered it. */
export type PushMessage = {
  readonly title: string;
  readonly body: string;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** A later one of the same tag takes its place on the device. */
  readonly tag: string;
  readonly data: Readonly<Record<string, unknown>>;
};
