/**
 * The accounts of every merchant. The changes of an entry sum to zero, so a merchant's balances always do too. Figures of the whole gateway are sums over merchants, so that no row is locked by all.
 */
export const chartOfAccounts = {
  /** The merchant's withdrawable balance, as shown on the screens. */
  available: { mayGoBelowZero: false },
  /** The reserve: a share of each payment, withheld for some days to cover disputes. */
  reserved: { mayGoBelowZero: false },
  /** Money that may not be withdrawn while a dispute about it is open. */
  blocked: { mayGoBelowZero: false },
  /** Withdrawals and refunds that the bank has not settled. */
  in_transit: { mayGoBelowZero: false },
  /** Money that was received but is not yet assigned to a merchant. Only merchant 0 has any. */
  suspense: { mayGoBelowZero: false },
  /** The merchant's debt after a lost dispute; negative while it is owed. */
  receivable: { mayGoBelowZero: true },
  /** Contra account of the bank account: the negative of what the bank holds for this merchant. */
  psp: { mayGoBelowZero: true },
  /** The gateway's earnings on this merchant. */
  fees: { mayGoBelowZero: true },
  /** Contra account of an operator's corrections. */
  adjustments: { mayGoBelowZero: true },
} as const;

export type AccountKind = keyof typeof chartOfAccounts;

// The keys of an object that is written down here are known.
export const accountKinds = Object.keys(chartOfAccounts) as readonly AccountKind[];

/** The merchant number of the gateway itself, which owns money not yet assigned to a merchant. */
export const PLATFORM = 0;
