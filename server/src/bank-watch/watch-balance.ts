import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type KeyedTx, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { PLATFORM } from '../ledger/index.ts';
import { notifyAdministrators, payoutsStoppedNotification } from '../notifications/index.ts';
import { formatBrl } from '../payments/index.ts';
import { stopPayoutsUnlessStopped } from '../payouts-stop.ts';
import type { BankAccount } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import {
  type BalanceReading,
  readBalanceReading,
  readRequiredBalance,
  saveBalanceReading,
} from './balance-store.ts';
import { openItem } from './open-item.ts';

const everyMs = 60_000;
const inDoubtEveryMs = 10_000;
/** An older reading says nothing about the present. */
const freshMs = 3 * everyMs;

/**
 * Reads the bank balance once a minute, in any one process. If it is below what belongs to merchants on two readings
 * a minute apart, payouts stop and the operator is notified. Returns 0: the next reading is due only with time.
 */
export async function watchBalance(deps: Deps): Promise<number> {
  const { account } = deps.psp;
  if (account !== undefined && isDue(await readBalanceReading(deps.db), deps.clock.now()))
    await look(deps, account);
  return 0;
}

/**
 * Reads the balance now, before payouts are resumed. Refused with BANK_BALANCE_LOW if it does not cover what belongs
 * to merchants, or the bank does not report it. Skipped if the bank offers no balance query.
 */
export async function assertBankCovers(deps: Deps): Promise<void> {
  const { account } = deps.psp;
  if (account === undefined) return;
  const { balanceCents, neededCents } = await look(deps, account);
  if (balanceCents === undefined)
    throw new Refusal('BANK_BALANCE_LOW', {
      message: 'O banco não informou o saldo agora. Tente de novo em instantes.',
    });
  if (balanceCents < neededCents) throw new Refusal('BANK_BALANCE_LOW');
}

/**
 * Whether nothing may be sent because the balance is unknown. `guarded`: whether the bank reports its balance at all
 * (`psp.account`).
 */
export async function isBankInDoubt(tx: Tx, guarded: boolean): Promise<boolean> {
  return guarded && isDoubtful(await readBalanceReading(tx.db), tx.now);
}

/** Like `isBankInDoubt`, for display only. */
export async function isBankInDoubtForDisplay({
  db,
  clock,
  psp,
}: Pick<Deps, 'db' | 'clock' | 'psp'>): Promise<boolean> {
  return psp.account !== undefined && isDoubtful(await readBalanceReading(db), clock.now());
}

function isDoubtful(last: BalanceReading | undefined, now: Date): boolean {
  return last?.balanceCents === undefined || now.getTime() - last.at.getTime() > freshMs;
}

/** If the clock was set back, a reading is due. */
function isDue(last: BalanceReading | undefined, now: Date): boolean {
  if (last === undefined) return true;
  const passed = now.getTime() - last.at.getTime();
  return passed < 0 || passed >= (last.balanceCents === undefined ? inDoubtEveryMs : everyMs);
}

/**
 * Money in motion must not look like missing money. Incoming money reaches the bank before our ledger, so the ledger
 * read before the bank never requires it too early. Outgoing money leaves our balances before the bank, so the ledger
 * read after the bank no longer requires it. The lower of the two counts. Returns made by the bank itself (MED) leave
 * the bank first and may, rarely, slip past both: so a single reading never stops payouts.
 */
async function look(deps: Deps, account: BankAccount): Promise<BalanceReading> {
  const at = deps.clock.now();
  const before = await readRequiredBalance(deps.db);
  const balanceCents = await ask(deps, account);
  const after = await readRequiredBalance(deps.db);
  const seen: BalanceReading = { at, balanceCents, neededCents: Math.min(before, after) };
  const told = await inTransaction(deps, (tx) => keep(tx, seen));
  if (told) deps.log.error({ ...told }, 'the bank holds less than belongs to merchants: payouts are stopped');
  return seen;
}

async function ask({ log }: Deps, account: BankAccount): Promise<number | undefined> {
  try {
    const { freeCents, blockedCents } = await account.readBalance();
    return freeCents + blockedCents;
  } catch (err) {
    log.warn({ err }, "the bank's balance could not be read: nothing new is sent until it can");
    return undefined;
  }
}

/** Returns what to log if this reading stopped payouts or opened the item. */
async function keep(tx: KeyedTx, seen: BalanceReading): Promise<Record<string, unknown> | undefined> {
  const { belowSince } = await saveBalanceReading(tx, seen);
  const { balanceCents, neededCents, at } = seen;
  if (balanceCents === undefined || belowSince === undefined) return undefined;
  if (at.getTime() - belowSince.getTime() < everyMs) return undefined;
  const reason = `o banco tinha ${formatBrl(balanceCents)} onde ${formatBrl(neededCents)} são dos lojistas`;
  const stopped = await stopPayoutsUnlessStopped(tx, reason);
  if (stopped) {
    await insertAuditEntry(tx, {
      actor_id: PLATFORM,
      action: 'payouts stopped',
      subject_id: PLATFORM,
      reason,
      before: { stopped_because: null },
      after: { stopped_because: reason },
    });
    await notifyAdministrators(tx, payoutsStoppedNotification(reason));
  }
  const detail = {
    balance_cents: balanceCents,
    needed_cents: neededCents,
    below_since: belowSince.toISOString(),
  };
  const opened = await openItem(tx, { kind: 'bank-balance-low', reference: 'account', detail });
  return stopped || opened ? detail : undefined;
}
