/** The kinds of notification. For each, an account chooses whether its devices get push messages. */
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

/** The first pattern that matches decides: a refund of a payment is not counted as a payment. */
const kindsOfTypes: readonly (readonly [RegExp, NotificationKind])[] = [
  [/^payment\.refunded$/, 'refunds'],
  [/^payment\./, 'payments'],
  [/^withdrawals?\./, 'withdrawals'],
  [/^refunds?\./, 'refunds'],
  [/^disputes?\./, 'disputes'],
  [/^operation\./, 'operation'],
];

/**
 * The kind of a notification, by the `type` in its data, such as `payment.paid`. A type that matches no pattern counts
 * as an account notification.
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
