/** Numbers that the product promises. Money in integer cents. */
export const MIN_CHARGE_CENTS = 150;
export const MIN_WITHDRAWAL_CENTS = 500;
/** What the form shows until the account's own fee is loaded. */
export const DEFAULT_OUT_FEE_CENTS = 150;
export const WITHDRAWAL_PIN_LENGTH = 4;
/** A payment may be refunded for so long after it was made (BACEN: devolução). */
export const REFUND_DAYS = 90;
/** Above this, two administrators decide on a Pix that nobody claimed. */
export const TWO_ADMINISTRATORS_CENTS = 100_000;

/** Lifetimes of a charge in seconds. The API takes any from the minimum to the maximum; the form offers the options. */
export const CHARGE_EXPIRY = {
  min: 60,
  max: 86_400,
  default: 1800,
  options: [900, 1800, 3600, 86_400],
} as const;

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;

export const PAGE_SIZE = {
  transactions: 10,
  recentTransactions: 5,
  withdrawals: 10,
  adminUsers: 100,
  adminTransactions: 50,
  auditLog: 50,
  max: 100,
} as const;

/** Deeper pages are reached with the `before` cursor. */
export const MAX_FEED_OFFSET = 10_000;

export const DAILY_STATS_DAYS = [7, 30, 90] as const;
export type DaySpan = (typeof DAILY_STATS_DAYS)[number];

/** Live channel: after the tries an open screen polls. */
export const SOCKET_RECONNECT = { tries: 5, delayMs: 3000 } as const;

/** Within this time after the password was given, keys and secrets may be read back without it, in seconds. */
export const PASSWORD_FRESH_SECONDS = 300;

/** Keys of systems: how many work at once (replaced ones besides), and what each may be given. */
export const MAX_SCOPED_KEYS = 20;
export const MAX_KEY_ADDRESSES = 50;
export const KEY_LIFE_MAX_DAYS = 3650;
/** How long a key works beside its successor, in hours. */
export const KEY_ROTATION_HOURS = { default: 24, max: 168 } as const;

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
