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

const kindsOfTypes: readonly (readonly [RegExp, NotificationKind])[] = [
  [/^payment\.refunded$/, 'refunds'],
  [/^payment\./, 'payments'],
  [/^withdrawals?\./, 'withdrawals'],
  [/^refunds?\./, 'refunds'],
  [/^disputes?\./, 'disputes'],
  [/^operation\./, 'operation'],
];

/**
 * The kind of a notification with this data, whose `type` names what it is about, such as `payment.paid`. A type without a
 * kind of its own counts as an account notification.
 */
export function notificationKindOf(data: Readonly<Record<string, unknown>>): NotificationKind {
  const type = String(data['type']);
  return kindsOfTypes.find(([pattern]) => pattern.test(type))?.[1] ?? 'account';
}

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
