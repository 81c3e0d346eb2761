import { brlFromCents, type MemberRole, memberRole } from '@jangada/contract';
import { readAccountNames } from '../connections/index.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { PolicyState } from './count-approvals.ts';
import { type Order, readDocument } from './document.ts';
import type { RequestRow } from './store.ts';

/*
 * What the documents of requests only number, by name, and what is in force before they are carried out. A document
 * keeps its text; whoever approves it reads both.
 */

type KnownMember = {
  readonly role: MemberRole;
  readonly refundLimit: number | null;
  readonly withdrawalLimit: number | null;
};

export type Known = {
  /** The people and accounts, by their number. */
  readonly people: ReadonlyMap<number, { readonly name: string; readonly email: string }>;
  readonly connections: ReadonlyMap<number, string>;
  readonly members: ReadonlyMap<number, KnownMember>;
  readonly keys: ReadonlyMap<string, { readonly name: string; readonly scopes: readonly string[] }>;
  /** The policy before the request; undefined if nobody knows it any more. */
  readonly policy: PolicyState | undefined;
};

export const nothingKnown: Known = {
  people: new Map(),
  connections: new Map(),
  members: new Map(),
  keys: new Map(),
  policy: undefined,
};

/**
 * Looks up what requests of one account name by number. What was before each of them, `knownOf` decides.
 */
export async function lookUp(
  db: Db | Tx['db'],
  merchantId: number,
  requests: readonly Pick<RequestRow, 'document' | 'status'>[],
): Promise<Known> {
  const orders = requests.map(({ document }): Order => readDocument(document)?.order ?? {});
  const userIds = numbersOf(
    orders.flatMap((order) => [order['user'], order['person'], byOf(order['staff'])]),
  );
  const connectionIds = numbersOf(
    orders.flatMap(({ connection, accounts }) => [connection, ...(Array.isArray(accounts) ? accounts : [])]),
  );
  const keyIds = orders.flatMap(({ id, scopes }) =>
    typeof id === 'string' && Array.isArray(scopes) ? [id] : [],
  );
  return {
    people: await selectPeopleWithEmail(db, userIds),
    connections: await readAccountNames(db, merchantId, connectionIds),
    members: await selectTerms(db, merchantId, userIds),
    keys: await selectKeys(db, merchantId, keyIds),
    policy: undefined,
  };
}

/** What is known of one of the requests: what was before it only as long as it waits. */
export function knownOf(known: Known, state: PolicyState, { status }: Pick<RequestRow, 'status'>): Known {
  const isWaiting = status === 'open' || status === 'approved';
  return isWaiting ? { ...known, policy: state } : namesOnly(known);
}

/** The names without what was before, which nobody knows any more once a request ended. */
export function namesOnly({ people, connections }: Known): Known {
  return { ...nothingKnown, people, connections };
}

const byOf = (staff: unknown) => (staff as { by?: unknown } | undefined)?.by;

function numbersOf(values: readonly unknown[]): number[] {
  const numbers = values
    .filter((value) => typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)))
    .map(Number);
  return [...new Set(numbers)];
}

async function selectPeopleWithEmail(db: Db | Tx['db'], ids: readonly number[]): Promise<Known['people']> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

async function selectTerms(
  db: Db | Tx['db'],
  merchantId: number,
  userIds: readonly number[],
): Promise<Known['members']> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('members')
    .select(['user_id', 'role', 'refund_limit_cents', 'withdrawal_limit_cents'])
    .where('merchant_id', '=', merchantId)
    .where('user_id', 'in', [...userIds])
    .execute();
  const toBrl = (cents: number | null) => (cents === null ? null : brlFromCents(cents));
  return new Map(
    rows.map(({ user_id, role, refund_limit_cents, withdrawal_limit_cents }) => [
      user_id,
      {
        role: memberRole.parse(role),
        refundLimit: toBrl(refund_limit_cents),
        withdrawalLimit: toBrl(withdrawal_limit_cents),
      },
    ]),
  );
}

async function selectKeys(
  db: Db | Tx['db'],
  merchantId: number,
  ids: readonly string[],
): Promise<Known['keys']> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('scoped_keys')
    .select(['id', 'name', 'scopes'])
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}

/** `Carlos Lima, carlos@example.com (pessoa 13)`; an address of somebody who is invited stays as it is. */
export function formatPerson({ people }: Known, value: unknown): string {
  const found = people.get(Number(value));
  if (found === undefined) return typeof value === 'string' ? value : `pessoa ${value}`;
  return `${found.name}, ${found.email} (pessoa ${value})`;
}

/** `Padaria da Ana (conta 7)`. */
export function formatAccount({ people }: Known, value: unknown): string {
  const found = people.get(Number(value));
  return found === undefined ? `conta ${value}` : `${found.name} (conta ${value})`;
}

export function formatConnection({ connections }: Known, value: unknown): string {
  const id = Number(value);
  if (id === HOUSE_CONNECTION) return 'a do gateway';
  const name = connections.get(id);
  return name === undefined ? `conta bancária ${value}` : `${name} (conta bancária ${value})`;
}
