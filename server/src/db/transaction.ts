import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';
import { isStalePlan } from './client.ts';
import type { Db } from './pool.ts';
import type { DB } from './schema.ts';

/** An open transaction: its connection, and the single timestamp for everything in it. */
export type Tx = {
  readonly db: Transaction<DB>;
  readonly now: Date;
  /** Runs `work` after all other writes, for example to take a contended lock that should be held only briefly. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /**
   * Declares that this transaction wrote something for the background loops of this process. The callback given to
   * `setWakeCallback` wakes them after the commit.
   */
  readonly wakeAfterCommit: (written?: Partial<WrittenWork>) => void;
};

/** The connection and the timestamp for one statement, either inside an open transaction or outside any. */
export type TxOrDb = { readonly db: Db | Tx['db']; readonly now: Date };

/** A transaction with access to the master key: its writes can be sealed and signed. */
export type TxWithSecrets = Tx & { readonly secrets: Secrets };

type TransactionDeps = { readonly db: Db; readonly clock: Clock };

const openTransaction = new AsyncLocalStorage<true>();

/**
 * The work that a transaction left for background loops. Messages to open screens and pushes are not listed: every wake
 * makes their loops look for them.
 */
export type WrittenWork = {
  /** Whether a payout, a refund or a defence is to be sent to the bank. */
  readonly hasOrders: boolean;
  /** The merchants who have new events, deliveries to repeat, or changed webhook endpoints. */
  readonly merchantIds: Iterable<number>;
};

/** Called after the commit of a transaction that called `wakeAfterCommit`. */
export type Wake = (written: WrittenWork) => void;
const wakeCallbacks = new WeakMap<Db, Wake>();

/** Calls `wake` after each transaction on these connections that called `wakeAfterCommit`. */
export function setWakeCallback(db: Db, wake: Wake): void {
  wakeCallbacks.set(db, wake);
}

const serializationFailure = '40001';
const deadlock = '40P01';
// After these errors PostgreSQL has rolled everything back, so the transaction may be run again.
const retriableCodes = new Set([serializationFailure, deadlock]);
/**
 * The constraint that fails if an obligation (a shortfall or debt that incoming money settles first) was created
 * between two reads of a merchant's balances. The retry sees the obligation (`ledger/post.ts`).
 */
const obligationConflict = 'ledger_claims_first';

/**
 * Thrown inside a transaction when another one has changed data that it read. The transaction is then rolled back and
 * run again.
 */
export class TransactionConflict extends Error {
  override name = 'TransactionConflict';
  readonly code = serializationFailure;
}

export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The name of the violated constraint, or undefined if the error is not a constraint violation. */
export function violatedConstraint(error: unknown): string | undefined {
  // SQLSTATE class 23: integrity constraint violation.
  if (databaseErrorCode(error)?.startsWith('23') !== true) return undefined;
  if (!(error instanceof Error)) return undefined;
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint;
  // An error of another server of a cluster names the constraint only in its text, with the number of the shard.
  return /constraint "(\w+?)(?:_\d{6,})?"/.exec(error.message)?.[1];
}

/**
 * Runs `work` in one transaction and commits it; if it throws, everything is rolled back. Work that the database
 * aborted to resolve a conflict is run again, so `work` must have no side effects except writes through `tx`.
 */
export function inTransaction<T>(
  deps: TransactionDeps & { readonly secrets: Secrets },
  work: (tx: TxWithSecrets) => Promise<T>,
): Promise<T>;
export function inTransaction<T>(deps: TransactionDeps, work: (tx: Tx) => Promise<T>): Promise<T>;
export async function inTransaction<T>(
  deps: TransactionDeps & { readonly secrets?: Secrets },
  work: (tx: TxWithSecrets) => Promise<T>,
): Promise<T> {
  invariant(openTransaction.getStore() === undefined, 'a transaction was opened inside a transaction');
  const { result, written } = await retryOnConflict(() =>
    openTransaction.run(true, () => deps.db.transaction().execute((db) => runWork(deps, db, work))),
  );
  if (written !== undefined) wakeCallbacks.get(deps.db)?.(written);
  return result;
}

async function runWork<T>(
  { clock, secrets }: TransactionDeps & { readonly secrets?: Secrets },
  db: Transaction<DB>,
  work: (tx: TxWithSecrets) => Promise<T>,
): Promise<{ readonly result: T; readonly written: WrittenWork | undefined }> {
  const finalSteps: (() => Promise<void>)[] = [];
  let written: { hasOrders: boolean; merchantIds: Set<number> } | undefined;
  const tx: Tx = {
    db,
    now: clock.now(),
    beforeCommit: (step) => void finalSteps.push(step),
    wakeAfterCommit({ hasOrders = false, merchantIds = [] } = {}) {
      written ??= { hasOrders: false, merchantIds: new Set() };
      written.hasOrders ||= hasOrders;
      for (const id of merchantIds) written.merchantIds.add(id);
    },
  };
  // The overloads expose `secrets` only to callers that passed them.
  const result = await work({ ...tx, secrets } as TxWithSecrets);
  for (const step of finalSteps) await step();
  return { result, written };
}

/** How often work is run at most before its conflict is thrown. */
const maxAttempts = 5;

/**
 * Runs `work`, a transaction or a single statement, and runs it again if the database aborted it because of a conflict
 * with another transaction.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxAttempts || !isRetriable(error)) throw error;
    }
  }
}

function isRetriable(error: unknown): boolean {
  return (
    retriableCodes.has(databaseErrorCode(error) ?? '') ||
    violatedConstraint(error) === obligationConflict ||
    isStalePlan(error)
  );
}

/** Called before every network access: no network call may be made while a transaction is open. */
export function assertNoOpenTransaction(): void {
  invariant(openTransaction.getStore() === undefined, 'a network call was made inside a transaction');
}
