/**
 * The accounts of every merchant. A transfer debits one and credits another of the same merchant, so a merchant's
 * balances always sum to zero. Platform figures are sums over merchants, so no row is shared by all.
 */
export const chartOfAccounts = {
  /** The merchant's withdrawable balance, as shown on the screens. */
  available: { mayGoBelowZero: false },
  /** Held back for some days to cover disputes. */
  reserved: { mayGoBelowZero: false },
  /** Held while a dispute is open. */
  blocked: { mayGoBelowZero: false },
  /** Outgoing: withdrawals and refunds that the bank has not settled. */
  in_transit: { mayGoBelowZero: false },
  /** Received but not yet assigned to a merchant. Only merchant 0 has any. */
  suspense: { mayGoBelowZero: false },
  /** Debt after a lost dispute; negative while owed. */
  receivable: { mayGoBelowZero: true },
  /** Contra account of the bank account: the negative of what the bank holds for this merchant. */
  psp: { mayGoBelowZero: true },
  /** The platform's earnings on this merchant. */
  fees: { mayGoBelowZero: true },
  /** Contra account of an operator's corrections. */
  adjustments: { mayGoBelowZero: true },
} as const;

export type AccountKind = keyof typeof chartOfAccounts;

/** Owner of money not yet assigned to a merchant. */
export const PLATFORM = 0;
