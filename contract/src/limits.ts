/** Limits that the product promises. Money in integer cents. */
export const MIN_CHARGE_CENTS = 150;
export const MIN_WITHDRAWAL_CENTS = 500;
/** The withdrawal fee that the form shows until the account's own fee is loaded. */
export const DEFAULT_OUT_FEE_CENTS = 150;
export const WITHDRAWAL_PIN_LENGTH = 4;
/** How long after payment a refund is possible (BACEN: devolução). */
export const REFUND_DAYS = 90;
/** Above this amount, an unmatched Pix needs the decision of two administrators. */
export const TWO_ADMINISTRATORS_CENTS = 100_000;

/**
 * Lifetimes of a charge in seconds. The API accepts any value from minimum to maximum; the form offers the options.
 */
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

/** Pages beyond this need the `before` cursor. */
export const MAX_FEED_OFFSET = 10_000;

export const DAILY_STATS_DAYS = [7, 30, 90] as const;
export type DaySpan = (typeof DAILY_STATS_DAYS)[number];

/** Reconnection of a screen's live channel (a WebSocket): after these tries, the screen polls instead. */
export const SOCKET_RECONNECT = { tries: 5, delayMs: 3000 } as const;

/** How long after the password was entered keys and secrets can be read again without it, in seconds. */
export const PASSWORD_FRESH_SECONDS = 300;

/**
 * Scoped API keys, each for one system of a merchant: how many may be in use (replaced ones not counted), and their
 * limits.
 */
export const MAX_SCOPED_KEYS = 20;
export const MAX_KEY_ADDRESSES = 50;
export const KEY_LIFE_MAX_DAYS = 3650;
/** How long a key remains valid beside its successor, in hours. */
export const KEY_ROTATION_HOURS = { default: 24, max: 168 } as const;

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
