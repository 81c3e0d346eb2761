/** Kinds of notification that can be chosen apart. */
export const notificationKinds = ['payments', 'withdrawals', 'refunds', 'disputes', 'account'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

const kindsOfTypes: readonly (readonly [RegExp, NotificationKind])[] = [
  [/^payment\.refunded$/, 'refunds'],
  [/^payment\./, 'payments'],
  [/^withdrawals?\./, 'withdrawals'],
  [/^refunds?\./, 'refunds'],
  [/^disputes?\./, 'disputes'],
];

/** The kind of a notification, by the type of what it speaks of; what nothing else claims is about the account. */
export function notificationKindOf(data: Readonly<Record<string, unknown>>): NotificationKind {
  const type = String(data['type']);
  return kindsOfTypes.find(([pattern]) => pattern.test(type))?.[1] ?? 'account';
}

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
