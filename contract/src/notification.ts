/** Kinds of notification that can be turned on and off separately. */
export const notificationKinds = [
  'payments',
  'withdrawals',
  'refunds',
  'disputes',
  'account',
  /** Tasks awaiting an administrator; sent only to administrators. */
  'operation',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The decrypted content of a push message, as JSON. */
export type PushMessage = {
  readonly title: string;
  readonly body: string;
  /** The time of the event, ISO 8601. */
  readonly timestamp: string;
  /** A later message with the same tag replaces it on the device. */
  readonly tag: string;
  readonly data: Readonly<Record<string, unknown>>;
};
