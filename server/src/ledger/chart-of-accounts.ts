/**
 * The accounts that every merchant has in the ledger, which is kept by double entry: the changes in an entry add up to
 * zero, and so do a merchant's balances. They exist once for each account at a bank: for the operator's own, and for
 * each of the merchant's own, whose mirror of `available` may go below zero. There is no row of totals for the whole
 * gateway, because every payment would have to lock it; a total is computed as a sum over merchants.
 */
export const chartOfAccounts = {
  /** The merchant's withdrawable balance, as shown on the screens. */
  available: { mayGoBelowZero: false },
  /** The reserve: a share of each payment, withheld for some days to cover disputes. */
  reserved: { mayGoBelowZero: false },
  /** Money that may not be withdrawn while a dispute about it is open. */
  blocked: { mayGoBelowZero: false },
  /** Money of withdrawals and refunds that the bank has neither completed nor refused yet. */
  in_transit: { mayGoBelowZero: false },
  /** Money that was received but is not yet assigned to a merchant. Only merchant 0 has any. */
  suspense: { mayGoBelowZero: false },
  /** The merchant's debt from lost disputes, as a negative balance; zero when the debt is repaid. */
  receivable: { mayGoBelowZero: true },
  /** Contra account of the bank account: the amount that the bank holds for this merchant, with the opposite sign. */
  psp: { mayGoBelowZero: true },
  /**
   * The gateway's earnings from this merchant. May be negative for merchant 0 (the platform), which bears the bank's
   * tariffs.
   */
  fees: { mayGoBelowZero: true },
  /**
   * The fees of payments at an account of the merchant's own, as a negative balance: the merchant owes them to the
   * operator, who cannot keep them back.
   */
  fees_due: { mayGoBelowZero: true },
  /** Contra account of administrators' adjustments. */
  adjustments: { mayGoBelowZero: true },
} as const;

export type AccountKind = keyof typeof chartOfAccounts;

// `Object.keys` has the type `string[]`, but the keys of this constant are exactly the account kinds.
export const accountKinds = Object.keys(chartOfAccounts) as readonly AccountKind[];

/** The merchant number of the gateway itself, which owns money not yet assigned to a merchant. */
export const PLATFORM = 0;
