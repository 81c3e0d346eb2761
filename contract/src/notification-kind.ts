import type { NotificationKind } from './notification.ts';

const kindsOfTypes: readonly (readonly [RegExp, NotificationKind])[] = [
  [/^payment\.refunded$/, 'refunds'],
  [/^payment\./, 'payments'],
  [/^withdrawals?\./, 'withdrawals'],
  [/^refunds?\./, 'refunds'],
  [/^disputes?\./, 'disputes'],
  [/^operation\./, 'operation'],
];

/**
 * The kind of a notification, by the type of its subject; types without a kind of their own count as account
 * notifications.
 */
export function notificationKindOf(data: Readonly<Record<string, unknown>>): NotificationKind {
  const type = String(data['type']);
  return kindsOfTypes.find(([pattern]) => pattern.test(type))?.[1] ?? 'account';
}
