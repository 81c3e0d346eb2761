import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { invariant } from '../invariant.ts';
import type { Secrets } from '../secrets.ts';
import type { Db } from './pool.ts';
import type { DB } from './schema.ts';

/** An open transaction: its connection, and the single timestamp for everything in it. */
export type Tx = {
  readonly db: Transaction<DB>;
  readonly now: Date;
  /** Runs `work` after all other writes: for a contended lock that should be held only briefly. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /**
   * Declares that this transaction wrote something other work in this process must pick up: messages, events, pushes.
   * `orders`: this includes an order to the bank. Followers of this database (`followCommits`) are notified after the
   * commit.
   */
  readonly wakeAfterCommit: (among?: 'orders') => void;
};

/** Connection and time for one statement: an open transaction, or the database itself. */
export type TxOrDb = { readonly db: Db | Tx['db']; readonly now: Date };

/** A transaction with access to the master key: its writes can be sealed and signed. */
export type KeyedTx = Tx & { readonly secrets: Secrets };

type Transacting = { readonly db: Db; readonly clock: Clock };

const open = new AsyncLocalStorage<true>();

/** Called after a commit that wrote something for others. */
export type Wake = (among?: 'orders') => void;
const followers = new WeakMap<Db, Wake>();

/** Calls `wake` after each transaction on these connections that called `wakeAfterCommit`. */
export function followCommits(db: Db, wake: Wake): void {
  followers.set(db, wake);
}

// Serialization failure and deadlock: nothing was written, so the transaction may be retried.
const retriable = new Set(['40001', '40P01']);
/** An obligation was created between two reads of a merchant's balances; the retry sees it (`ledger/post.ts`). */
const claimsFirst = 'ledger_claims_first';

export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The name of the violated constraint, or undefined if the error is not a constraint violation. */
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
 * Runs `work` in one transaction and commits it; if it throws, everything is rolled back. Work that the database
 * aborted to resolve a conflict is run again, so `work` must have no side effects except writes through `tx`.
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
  // The overloads expose `secrets` only to callers that passed them.
  const result = await work({ ...tx, secrets } as KeyedTx);
  for (const one of last) await one();
  return { result, woken };
}

/** Retries a transaction, or a single-statement one, that the database aborted because of a conflict with another. */
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

/** Called before every network access: no network call may be made while a transaction is open. */
export function assertNoOpenTransaction(): void {
  invariant(open.getStore() === undefined, 'a network call was made inside a transaction');
}
