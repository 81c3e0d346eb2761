/**
 * The accounts that every merchant has. A transfer lowers one and raises another of the same merchant, so a
 * merchant's balances always add up to zero; platform figures are sums over merchants, and no row is shared by all.
 */
export const chartOfAccounts = {
  /** What the merchant may withdraw. The balance on the screens. */
  available: { mayGoBelowZero: false },
  /** Kept back for some days against disputes. */
  reserved: { mayGoBelowZero: false },
  /** Held while a dispute is open. */
  blocked: { mayGoBelowZero: false },
  /** On its way out: withdrawals and refunds that the bank has not settled. */
  in_transit: { mayGoBelowZero: false },
  /** Received, but of nobody yet. Only merchant 0 has any. */
  suspense: { mayGoBelowZero: false },
  /** What the merchant owes after a lost dispute, below zero while owed. */
  receivable: { mayGoBelowZero: true },
  /** The other side of the bank account: minus what the bank holds for this merchant. */
  psp: { mayGoBelowZero: true },
  /** What the platform earned on this merchant. */
  fees: { mayGoBelowZero: true },
  /** The other side of an operator's corrections. */
  adjustments: { mayGoBelowZero: true },
} as const;

export type AccountKind = keyof typeof chartOfAccounts;

/** Owner of money that belongs to nobody yet. */
export const PLATFORM = 0;
