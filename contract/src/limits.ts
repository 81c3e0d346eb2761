/** Limits that the product promises. Money in integer cents. */
export const MIN_CHARGE_CENTS = 150;
export const MIN_WITHDRAWAL_CENTS = 500;
/** The withdrawal fee that the form shows until the account's own fee is loaded. */
export const DEFAULT_OUT_FEE_CENTS = 150;
export const WITHDRAWAL_PIN_LENGTH = 4;
/** For how many days after its payment a charge can be refunded (BACEN: devolução). */
export const REFUND_DAYS = 90;
/** Above this amount, two administrators must agree on what becomes of a Pix that matches no charge. */
export const TWO_ADMINISTRATORS_CENTS = 100_000;

/**
 * How long a charge can be paid, in seconds. The API accepts any value from `min` to `max`; the form offers `options`.
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

/** The largest offset that the feed accepts; to read further, a caller needs the cursor `before`. */
export const MAX_FEED_OFFSET = 10_000;

export const DAILY_STATS_DAYS = [7, 30, 90] as const;
export type DaySpan = (typeof DAILY_STATS_DAYS)[number];

/** Reconnection of a screen's live channel (a WebSocket): after these tries, the screen polls instead. */
export const SOCKET_RECONNECT = { tries: 5, delayMs: 3000 } as const;

/** For how many seconds after the password was entered, keys and secrets are shown without asking for it again. */
export const PASSWORD_FRESH_SECONDS = 300;

/**
 * Limits of scoped API keys, each of which belongs to one system of a merchant. `MAX_SCOPED_KEYS` does not count keys
 * that were replaced.
 */
export const MAX_SCOPED_KEYS = 20;
export const MAX_KEY_ADDRESSES = 50;
export const KEY_LIFE_MAX_DAYS = 3650;
/** How long a replaced key remains valid beside its successor, in hours. */
export const KEY_ROTATION_HOURS = { default: 24, max: 168 } as const;

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
