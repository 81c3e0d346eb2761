/** The kinds of notification. An account chooses for each kind whether its devices get push messages. */
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

/** The first matching pattern applies, so `payment.refunded` is a notification of a refund and not of a payment. */
const kindsOfTypes: readonly (readonly [RegExp, NotificationKind])[] = [
  [/^payment\.refunded$/, 'refunds'],
  [/^(payment|pix|batch)\./, 'payments'],
  [/^withdrawals?\./, 'withdrawals'],
  [/^refunds?\./, 'refunds'],
  [/^disputes?\./, 'disputes'],
  [/^operation\./, 'operation'],
];

/**
 * Determines the kind of a notification from the `type` in its data, such as `payment.paid`. A type that matches no
 * pattern makes an account notification.
 */
export function notificationKindOf(data: Readonly<Record<string, unknown>>): NotificationKind {
  const type = String(data['type']);
  return kindsOfTypes.find(([pattern]) => pattern.test(type))?.[1] ?? 'account';
}

/** The content of a push message, which is sent as encrypted JSON. */
export type PushMessage = {
  readonly title: string;
  readonly body: string;
  /** The time of the event in ISO 8601. */
  readonly timestamp: string;
  /** On the device, a message replaces an earlier one with the same tag. */
  readonly tag: string;
  readonly data: Readonly<Record<string, unknown>>;
};
