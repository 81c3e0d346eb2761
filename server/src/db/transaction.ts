import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';
import type { Db } from './pool.ts';
import type { DB } from './schema.ts';

/** A transaction that is open: where to write, and the one moment that all of it happens at. */
export type Tx = {
  readonly db: Transaction<DB>;
  readonly now: Date;
  /** Has something done when all else is written: for a lock that everybody queues for, and nobody holds for long. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /**
   * Says that this transaction wrote something that other work of the process begins with: messages, events, pushes.
   * `orders`: an order for the bank is among it. Whoever follows the commits of this database hears of it afterwards.
   */
  readonly wakeAfterCommit: (among?: 'orders') => void;
};

/** A transaction of somebody who holds the master key: what it writes may be sealed and signed. */
export type KeyedTx = Tx & { readonly secrets: Secrets };

type Transacting = { readonly db: Db; readonly clock: Clock };

const open = new AsyncLocalStorage<true>();

/** Called after a commit that wrote something for others. */
export type Wake = (among?: 'orders') => void;
const followers = new WeakMap<Db, Wake>();

/** Calls `wake` after each transaction on these connections that said `wakeAfterCommit`. */
export function followCommits(db: Db, wake: Wake): void {
  followers.set(db, wake);
}

// Serialization failure and deadlock: nothing was written, so the transaction may be retried.
const retriable = new Set(['40001', '40P01']);
/** A claim came between two looks at a merchant's balances; the next try sees it (`ledger/post.ts`). */
const claimsFirst = 'ledger_claims_first';

export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The name of the constraint that refused a statement, or undefined when it was not that. */
export function violatedConstraint(error: unknown): string | undefined {
  const isViolation = databaseErrorCode(error)?.startsWith('23') === true;
  return isViolation &&
    error instanceof Error &&
    'constraint' in error &&
    typeof error.constraint === 'string'
    ? error.constraint
    : undefined;
}

/**
 * Runs `work` in one transaction and commits it; whatever it throws rolls all of it back. Work that the database
 * broke off to end a deadlock is run again, so `work` must do nothing but write through `tx`.
 */
export function inTransaction<T>(
  deps: Transacting & { readonly secrets: Secrets },
  work: (tx: KeyedTx) => Promise<T>,
): Promise<T>;
export function inTransaction<T>(deps: Transacting, work: (tx: Tx) => Promise<T>): Promise<T>;
export async function inTransaction<T>(
  deps: Transacting & { readonly secrets?: Secrets },
  work: (tx: KeyedTx) => Promise<T>,
): Promise<T> {
  invariant(open.getStore() === undefined, 'a transaction was opened inside a transaction');
  const { result, woken } = await retryOnConflict(() =>
    open.run(true, () => deps.db.transaction().execute((db) => runToItsEnd(deps, db, work))),
  );
  if (woken.size > 0) followers.get(deps.db)?.(woken.has('orders') ? 'orders' : undefined);
  return result;
}

async function runToItsEnd<T>(
  { clock, secrets }: Transacting & { readonly secrets?: Secrets },
  db: Transaction<DB>,
  work: (tx: KeyedTx) => Promise<T>,
): Promise<{ readonly result: T; readonly woken: ReadonlySet<'orders' | undefined> }> {
  const last: (() => Promise<void>)[] = [];
  const woken = new Set<'orders' | undefined>();
  const tx: Tx = {
    db,
    now: clock.now(),
    beforeCommit: (one) => void last.push(one),
    wakeAfterCommit: (among) => void woken.add(among),
  };
  // The overloads let only those who have secrets see them.
  const result = await work({ ...tx, secrets } as KeyedTx);
  for (const one of last) await one();
  return { result, woken };
}

/** Runs a transaction, or a statement that is one by itself, again where the database broke it off for another's sake. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= 5 || !wasDisturbed(error)) throw error;
    }
  }
}

function wasDisturbed(error: unknown): boolean {
  return retriable.has(databaseErrorCode(error) ?? '') || violatedConstraint(error) === claimsFirst;
}

/** Called by everything that reaches the network: no call may be made while a transaction is open. */
export function assertNoOpenTransaction(): void {
  invariant(open.getStore() === undefined, 'a network call was made inside a transaction');
}
