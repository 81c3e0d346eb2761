import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { invariant } from '../invariant.ts';
import type { Db } from './pool.ts';
import type { DB } from './schema.ts';

/** A transaction that is open: where to write, and the one moment that all of it happens at. */
export type Tx = { readonly db: Transaction<DB>; readonly now: Date };

const open = new AsyncLocalStorage<true>();

// Serialization failure, deadlock: nothing was written, the same work may be tried again.
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
export async function inTransaction<T>(
  deps: { db: Db; clock: Clock },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  invariant(open.getStore() === undefined, 'a transaction was opened inside a transaction');
  return untilUndisturbed(() =>
    open.run(true, () => deps.db.transaction().execute((db) => work({ db, now: deps.clock.now() }))),
  );
}

/** Runs a transaction, or a statement that is one by itself, again where the database broke it off for another's sake. */
export async function untilUndisturbed<T>(work: () => Promise<T>): Promise<T> {
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
