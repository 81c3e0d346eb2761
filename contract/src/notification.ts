/** Kinds of notification that can be chosen apart. */
export const notificationKinds = ['payments', 'withdrawals', 'refunds', 'disputes', 'account'] as const;
export type NotificationKind = (typeof notificationKinds)[number];
