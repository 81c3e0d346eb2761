// The limits that the product promises. Money is in integer cents.
export const MIN_CHARGE_CENTS = 150;
export const MIN_WITHDRAWAL_CENTS = 500;
/** The withdrawal fee that the form shows until the account's own fee is loaded. */
export const DEFAULT_OUT_FEE_CENTS = 150;
export const WITHDRAWAL_PIN_LENGTH = 4;
/** For how many days after a Pix it can be returned, be it by a refund, a dispute or the payee's bank. Set by BACEN. */
export const RETURN_DAYS = 90;
/** For how long a passed check lets a merchant's bank account be put to use. */
export const CHECK_VALID_MS = 24 * 3_600_000;
/** Above this amount, two administrators must agree before a Pix that matches no charge is assigned or returned. */
export const TWO_ADMINISTRATORS_CENTS = 100_000;

/**
 * For how many seconds a charge can be paid. The API accepts any value from `min` to `max`; the form of the dashboard
 * offers `options`.
 */
export const CHARGE_EXPIRY = {
  min: 60,
  /** Thirty days. Whoever has longer gives the charge a due date. */
  max: 2_592_000,
  default: 1800,
  options: [900, 1800, 3600, 86_400],
} as const;

/** Until how many days after today a charge may fall due. */
export const DUE_MAX_DAYS_AHEAD = 1825;
/** For how many days after its due date a charge can be paid, unless its request says so. */
export const VALID_AFTER_DUE_DEFAULT_DAYS = 30;

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;

/** How many items a page of each list has by default. `max` is the most that a request can ask for. */
export const PAGE_SIZE = {
  transactions: 10,
  recentTransactions: 5,
  dueCharges: 20,
  withdrawals: 10,
  adminUsers: 100,
  adminTransactions: 50,
  auditLog: 50,
  max: 100,
} as const;

/**
 * The largest offset that the feed (the dashboard's list of charges) accepts, which bounds the number of charges that
 * the database skips for a page. To read further, a caller uses the cursor `before`.
 */
export const MAX_FEED_OFFSET = 10_000;

/** The periods for which the dashboard shows figures by day: the last 7, 30 or 90 days. */
export const DAILY_STATS_DAYS = [7, 30, 90] as const;
export type DaySpan = (typeof DAILY_STATS_DAYS)[number];

/** How often, and after what pause, a screen retries a lost live channel (a WebSocket) before it gives up. */
export const SOCKET_RECONNECT = { tries: 5, delayMs: 3000 } as const;

/** For how many seconds after the password was entered it is not asked for again before a key or secret is shown. */
export const PASSWORD_FRESH_SECONDS = 300;

/**
 * The most scoped keys that a merchant may have in use. A scoped key is an API key for one of the merchant's systems,
 * with limited permissions. Replaced keys are counted apart, with the same limit.
 */
export const MAX_SCOPED_KEYS = 20;
/** How many members and open invitations an account may have together. */
export const MAX_MEMBERS = 50;
export const INVITATION_DAYS = 7;
/** How long another owner has to confirm that they become the holder of an account. */
export const HANDOVER_HOURS = 72;
/** For how long an owner may let support look in: an hour, a day or a week. */
export const SUPPORT_ACCESS_HOURS = [1, 24, 168] as const;
/** The most IP addresses and networks to which the use of one scoped key can be limited. */
export const MAX_KEY_ADDRESSES = 50;
/** The longest lifetime that a new scoped key can be given, in days. */
export const KEY_LIFE_MAX_DAYS = 3650;
/** How long a replaced key remains valid beside its successor, in hours. */
export const KEY_ROTATION_HOURS = { default: 24, max: 168 } as const;

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
