import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { formatBrl } from '../payments/index.ts';
import { stopPayoutsUnlessStopped } from '../payouts-stop.ts';
import { type AtBank, atHouse, type BankAccount, HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import {
  type BalancePoll,
  readLastBalancePoll,
  readNeededBalance,
  saveBalancePoll,
} from './balance-store.ts';
import { openItem } from './open-item.ts';

/** The usual interval of the polls. */
const pollIntervalMs = 60_000;
/** The interval while the bank does not report the balance: shorter, because nothing new is sent until it does. */
const unknownBalancePollIntervalMs = 10_000;
/** If the last poll is older than this, the balance counts as unknown. */
const maxPollAgeMs = 3 * pollIntervalMs;

/**
 * Polls the balance of the operator's own account, where the merchants' money lies, once a minute. Of several
 * processes, the first to find a poll due makes it. If the balance does not cover the merchants' money in two polls a
 * minute apart, payouts stop and the operator is notified. Returns 0 (nothing left to do), so that the loop waits for
 * its next turn.
 */
export async function watchBalance(deps: Deps): Promise<number> {
  const { account } = atHouse(deps).psp;
  if (account !== undefined && isDue(await readLastBalancePoll(deps.db), deps.clock.now()))
    await pollBalance(deps, account);
  return 0;
}

/**
 * Polls the balance now, before payouts are resumed. Refuses with BANK_BALANCE_LOW if the balance does not cover the
 * money of the merchants, or if the bank does not report it. Does nothing if the bank offers no balance query.
 */
export async function refuseLowBankBalance(deps: Deps): Promise<void> {
  const { account } = atHouse(deps).psp;
  if (account === undefined) return;
  const { balanceCents, neededCents } = await pollBalance(deps, account);
  if (balanceCents === undefined)
    throw new Refusal('BANK_BALANCE_LOW', {
      message: 'O banco não informou o saldo agora. Tente de novo em instantes.',
    });
  if (balanceCents < neededCents) throw new Refusal('BANK_BALANCE_LOW');
}

/**
 * Whether no payout or refund may be sent because the balance is unknown. `bankReportsBalance`: whether the bank offers
 * a balance query at all (`psp.account`); without one, the answer is always false.
 */
export async function isBankBalanceUnknown(tx: Tx, bankReportsBalance: boolean): Promise<boolean> {
  return bankReportsBalance && isUnknown(await readLastBalancePoll(tx.db), tx.now);
}

/** Like `isBankBalanceUnknown`, but read outside a transaction and so possibly out of date: for display only. */
export async function isBankBalanceUnknownForDisplay({
  db,
  clock,
  psp,
}: Pick<AtBank, 'db' | 'clock' | 'psp'>): Promise<boolean> {
  return psp.account !== undefined && isUnknown(await readLastBalancePoll(db), clock.now());
}

function isUnknown(last: BalancePoll | undefined, now: Date): boolean {
  return last?.balanceCents === undefined || now.getTime() - last.at.getTime() > maxPollAgeMs;
}

/** Whether a poll is due. After the clock was set back, a poll is always due. */
function isDue(last: BalancePoll | undefined, now: Date): boolean {
  if (last === undefined) return true;
  const passedMs = now.getTime() - last.at.getTime();
  const intervalMs = last.balanceCents === undefined ? unknownBalancePollIntervalMs : pollIntervalMs;
  return passedMs < 0 || passedMs >= intervalMs;
}

/**
 * Polls the balance, stores it and stops payouts if it is too low.
 *
 * Money in motion must not look like missing money. Incoming money reaches the bank before the ledger, and outgoing
 * money leaves the ledger's balances before it leaves the bank. So the required balance is read both before and after
 * the bank's balance, and the lower one counts. Only the returns that the bank itself makes for disputes leave the bank
 * first. They may, rarely, look like missing money, which is why a single poll never stops payouts.
 */
async function pollBalance(deps: Deps, account: BankAccount): Promise<BalancePoll> {
  const at = deps.clock.now();
  const neededBeforeCents = await readNeededBalance(deps.db);
  const balanceCents = await readBankBalance(deps, account);
  const neededAfterCents = await readNeededBalance(deps.db);
  const neededCents = Math.min(neededBeforeCents, neededAfterCents);
  const poll: BalancePoll = { at, balanceCents, neededCents };
  const alarm = await inTransaction(deps, (tx) => recordPoll(tx, poll));
  if (alarm)
    deps.log.error({ ...alarm }, 'the bank holds less than belongs to merchants: payouts are stopped');
  return poll;
}

async function readBankBalance({ log }: Deps, account: BankAccount): Promise<number | undefined> {
  try {
    const { freeCents, blockedCents } = await account.readBalance();
    return freeCents + blockedCents;
  } catch (err) {
    log.warn({ err }, "the bank's balance could not be read: nothing new is sent until it can");
    return undefined;
  }
}

/** Stores a poll. Returns details for the log if the poll stopped payouts or opened an item for the operator. */
async function recordPoll(
  tx: TxWithSecrets,
  poll: BalancePoll,
): Promise<Record<string, unknown> | undefined> {
  const { belowSince } = await saveBalancePoll(tx, poll);
  const { balanceCents, neededCents, at } = poll;
  if (balanceCents === undefined || belowSince === undefined) return undefined;
  if (at.getTime() - belowSince.getTime() < pollIntervalMs) return undefined;
  const reason = `o banco tinha ${formatBrl(balanceCents)} onde ${formatBrl(neededCents)} são dos lojistas`;
  const areStoppedNow = await stopPayoutsUnlessStopped(tx, reason);
  const detail = {
    balance_cents: balanceCents,
    needed_cents: neededCents,
    below_since: belowSince.toISOString(),
  };
  const isNewItem = await openItem(tx, {
    kind: 'bank-balance-low',
    connectionId: HOUSE_CONNECTION,
    reference: 'account',
    detail,
  });
  return areStoppedNow || isNewItem ? detail : undefined;
}
