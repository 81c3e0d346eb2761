import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { atHouse, type BankAccount, HOUSE_CONNECTION } from '../psp/index.ts';
import { readBookedBalance, readLastBalanceComparison, writeBalanceComparison } from './balance-store.ts';
import { readSetupTime } from './day-store.ts';
import { closeItem, openItem } from './open-item.ts';

/** The nightly comparison starts this long after midnight, when traffic is low. */
const startAfterMidnightMs = 3 * 3_600_000;
/** The interval of the comparisons while the balances differ. */
const repeatMs = 10 * 60_000;
/** How often one comparison reads the bank's balance in the hope that no money moves meanwhile. */
const maxAttempts = 5;

/**
 * Compares the balance of the operator's own account with the ledger every night, and every ten minutes while they
 * differ. Only the same difference twice in a row opens an item for the operator: a difference from money in motion
 * changes within ten minutes, a difference from a bank tariff or a deposit outside Pix does not. The item closes once
 * the balances agree. Returns 0 (nothing left to do), so that the loop waits for its next turn.
 */
export async function compareBalance(deps: Deps): Promise<number> {
  const { account } = atHouse(deps).psp;
  if (account !== undefined && (await isDue(deps))) await compare(deps, account);
  return 0;
}

async function isDue({ db, clock }: Deps): Promise<boolean> {
  const now = clock.now();
  const setupAt = await readSetupTime(db);
  if (setupAt === undefined) return false;
  const last = await readLastBalanceComparison(db);
  // The gateway's first comparison is in the night after its first day.
  const firstNightMs = startOfDay(daysAfter(calendarDayOf(setupAt), 1)).getTime() + startAfterMidnightMs;
  // When the comparison of the most recent night was due.
  const lastNightMs =
    startOfDay(calendarDayOf(new Date(now.getTime() - startAfterMidnightMs))).getTime() +
    startAfterMidnightMs;
  if (last === undefined) return now.getTime() >= firstNightMs;
  if (last.at.getTime() < lastNightMs) return true;
  const passedMs = now.getTime() - last.at.getTime();
  // A negative time means that the clock was set back.
  return last.differenceCents !== 0 && (passedMs < 0 || passedMs >= repeatMs);
}

async function compare(deps: Deps, account: BankAccount): Promise<void> {
  const differenceCents = await measureDifference(deps, account);
  const isNewItem = await inTransaction(deps, (tx) => recordDifference(tx, differenceCents));
  if (isNewItem) deps.log.error({ differenceCents }, "the bank account's balance differs from the ledger");
}

/** Returns the bank's balance less the ledger's, in integer cents; undefined if money moves too fast to compare. */
async function measureDifference({ db, log }: Deps, account: BankAccount): Promise<number | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await readBookedBalance(db);
    const { freeCents, blockedCents } = await account.readBalance();
    const after = await readBookedBalance(db);
    if (before.bookedCents !== after.bookedCents) continue;
    const differenceCents = freeCents + blockedCents - before.bookedCents;
    // The bank may already have sent money in transit. If only such money is missing there, nothing differs.
    const inTransitCents = Math.max(before.inTransitCents, after.inTransitCents);
    const isInTransit = differenceCents < 0 && -differenceCents <= inTransitCents;
    return isInTransit ? 0 : differenceCents;
  }
  log.info('the balance was not compared with the ledger: money moved meanwhile');
  return undefined;
}

/** Stores the difference, and opens or closes the operator's item. Returns whether an item was opened now. */
async function recordDifference(tx: Tx, differenceCents: number | undefined): Promise<boolean> {
  const last = await readLastBalanceComparison(tx.db);
  await writeBalanceComparison(tx, differenceCents);
  const item = { kind: 'balance-differs', connectionId: HOUSE_CONNECTION, reference: 'account' } as const;
  if (differenceCents === 0) {
    await closeItem(tx, { ...item, evidence: 'The account and the books agree again.' });
    return false;
  }
  if (differenceCents === undefined || last?.differenceCents !== differenceCents) return false;
  // A comparison by another process at the same moment does not count as a second one.
  if (Math.abs(tx.now.getTime() - last.at.getTime()) < repeatMs) return false;
  return openItem(tx, { ...item, detail: { difference_cents: differenceCents } });
}
