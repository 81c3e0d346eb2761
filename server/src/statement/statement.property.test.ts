import { getStatement, type StatementAccount, statementAccounts, statementKinds } from '@jangada/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditLedger, movements, post } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { movementsByAccount } from './movement.ts';
import { readStatement } from './read-statement.ts';

const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 20);

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/**
 * Every movement of a merchant's balances. `cause`: merchant and reference; `a`, `b`, `c`: amounts in cents, which each
 * movement uses in its own way.
 */
const moves = {
  pay: (cause, a, b, c) =>
    movements.paymentReceived({ ...cause, amountCents: a + b + c, feeCents: b, reserveCents: c }),
  assign: (cause, a, b, c) =>
    movements
      .unmatchedAssigned({ ...cause, amountCents: a + b + c, feeCents: b, reserveCents: c })
      .filter(({ merchantId }) => merchantId !== 0),
  release: (cause, a) => movements.reserveReleased({ ...cause, amountCents: a }),
  withdraw: (cause, a) => movements.withdrawalRequested({ ...cause, amountCents: a }),
  completeWithdrawal: (cause, a) => movements.withdrawalCompleted({ ...cause, amountCents: a, feeCents: 0 }),
  refuseWithdrawal: (cause, a) => movements.withdrawalRefused({ ...cause, amountCents: a }),
  returnWithdrawal: (cause, a) => movements.withdrawalReturned({ ...cause, returnedCents: a }),
  refund: (cause, a) => movements.refundRequested({ ...cause, amountCents: a }),
  completeRefund: (cause, a) => movements.refundCompleted({ ...cause, amountCents: a }),
  refuseRefund: (cause, a) => movements.refundRefused({ ...cause, amountCents: a }),
  dispute: (cause, a, b) =>
    movements.disputeOpened({ ...cause, fromAvailableCents: a, fromReservedCents: b }),
  coverShortfall: (cause, a, b) =>
    movements.shortfallCovered({ ...cause, fromAvailableCents: a, fromReservedCents: b }),
  loseDispute: (cause, a, b) => movements.disputeLost({ ...cause, blockedCents: a, uncoveredCents: b }),
  releaseDispute: (cause, a, b) =>
    movements.disputeReleased({ ...cause, toAvailableCents: a, toReservedCents: b }),
  credit: (cause, a) => movements.balanceAdjusted({ ...cause, differenceCents: a + 1 }),
  debit: (cause, a) => movements.balanceAdjusted({ ...cause, differenceCents: -a - 1 }),
  payOwn: (cause, a) => movements.ownPaymentReceived({ ...cause, amountCents: a }),
  withdrawOwn: (cause, a) => movements.withdrawalRequested({ ...cause, amountCents: a }),
  completeOwnWithdrawal: (cause, a, b) =>
    movements.withdrawalCompleted({ ...cause, amountCents: a + b, feeCents: b }),
  refuseOwnWithdrawal: (cause, a) => movements.withdrawalRefused({ ...cause, amountCents: a }),
  refundOwn: (cause, a) => movements.refundRequested({ ...cause, amountCents: a }),
  disputeOwn: (cause, a) =>
    movements.disputeOpened({ ...cause, fromAvailableCents: a, fromReservedCents: 0 }),
  loseOwnDispute: (cause, a, b) => movements.disputeLost({ ...cause, blockedCents: a, uncoveredCents: b }),
} satisfies Record<
  string,
  (
    cause: { merchantId: number; reference: string; connectionId: number },
    a: number,
    b: number,
    c: number,
  ) => movements.LedgerEntry[]
>;

type Step = {
  readonly move: keyof typeof moves;
  readonly cents: [number, number, number];
  /** The time since the previous step. */
  readonly seconds: number;
};

const moveNames = Object.keys(moves) as (keyof typeof moves)[];
const anyStep: fc.Arbitrary<Step> = fc.record({
  // More credits than debits, since debits need a balance.
  move: fc.oneof(fc.constantFrom<keyof typeof moves>('pay', 'credit'), fc.constantFrom(...moveNames)),
  cents: fc.tuple(fc.nat(3000), fc.nat(100), fc.nat(1000)),
  // Some steps at the time of the previous one, some soon after, some days later.
  seconds: fc.oneof(fc.constant(0), fc.nat(90), fc.integer({ min: 3600, max: 200_000 })),
});

const begin = new Date('2026-09-01T02:59:00Z').getTime();

/** Posts the steps that the balances allow; returns the time after them. */
async function postSteps(merchantId: number, steps: readonly Step[]): Promise<Date> {
  const ownIds = [await givenOwnAccount(merchantId, 1), await givenOwnAccount(merchantId, 2)];
  let now = begin;
  for (const [index, { move, cents, seconds }] of steps.entries()) {
    now += seconds * 1000;
    const connectionId = /Own/.test(move) ? (ownIds[index % 2] ?? 0) : HOUSE_CONNECTION;
    const entries = moves[move]({ merchantId, reference: `${move}-${index}`, connectionId }, ...cents);
    const deps = { db, clock: { now: () => new Date(now) } };
    await inTransaction(deps, (tx) => post(tx, entries)).catch((error: unknown) => {
      const isRefused = error instanceof Refusal || /ledger_claims_first|ledger_debt/.test(String(error));
      if (!isRefused) throw error;
    });
  }
  return new Date(now + 1000);
}

const givenOwnAccount = (merchantId: number, number: number) =>
  insertConnection(db, merchantId, `conta-${merchantId}-${number}@example.com`);

type RebuiltEntry = { at: Date; event: string; reference: string; change: number };

/** Rebuilds the entries of one balance from the ledger, newest first. */
async function rebuildEntries(merchantId: number, account: StatementAccount): Promise<RebuiltEntry[]> {
  const isOwn = account === 'own';
  const ledgerEntries = await db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('connection_id', isOwn ? '<>' : '=', HOUSE_CONNECTION)
    .execute();
  const entries = ledgerEntries
    .map(({ posted_at, event, reference, ...entry }) => ({
      at: posted_at,
      event,
      reference,
      change: entry[account === 'own' ? 'available_cents' : (`${account}_cents` as const)],
    }))
    .filter(({ change }) => change !== 0);
  const orderKey = (entry: RebuiltEntry) => `${entry.change < 0 ? 1 : 0} ${entry.reference} ${entry.event}`;
  return entries.sort((a, b) => b.at.getTime() - a.at.getTime() || (orderKey(a) < orderKey(b) ? 1 : -1));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Reads a statement to its end, and returns its pages. */
async function readAllPages(merchantId: number, now: Date, query: Record<string, unknown>) {
  const pages = [];
  for (let before: string | undefined; ; ) {
    const pageQuery = getStatement.query.parse({ ...query, before });
    const page = await readStatement({ db, clock: { now: () => now } }, merchantId, pageQuery);
    pages.push(getStatement.response.parse(page));
    if (page.next === null) return pages;
    before = page.next;
  }
}

test('pages, totals and running balances equal the ledger to the cent, for any movements and queries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(40),
      async (steps, limit, days, startDay) => {
        const merchantId = await insertMerchant(db);
        const now = await postSteps(merchantId, steps);
        const from = calendarDayOf(new Date(begin + startDay * 86_400_000));
        const to = calendarDayOf(new Date(begin + (startDay + days) * 86_400_000));
        for (const account of statementAccounts) {
          const rebuiltEntries = await rebuildEntries(merchantId, account);
          const within = rebuiltEntries.filter(
            ({ at }) => calendarDayOf(at) >= from && calendarDayOf(at) <= to,
          );
          const pages = await readAllPages(merchantId, now, { account, from, to, limit });
          const lines = pages.flatMap((page) => page.lines);

          const opening = sum(
            rebuiltEntries.filter(({ at }) => calendarDayOf(at) < from).map(({ change }) => change),
          );
          let balance = opening + sum(within.map(({ change }) => change));
          for (const page of pages)
            expect({ ...page, lines: [], next: null }).toEqual({
              lines: [],
              next: null,
              from,
              to,
              opening_balance: opening / 100,
              closing_balance: balance / 100,
              total_in: sum(within.map(({ change }) => Math.max(change, 0))) / 100,
              total_out: sum(within.map(({ change }) => Math.max(-change, 0))) / 100,
            });
          const expected = within.map(({ at, change }) => {
            const balanceAfter = balance;
            balance -= change;
            return { at: at.toISOString(), amount: change / 100, balance: balanceAfter / 100 };
          });
          expect(lines.map(({ at, amount, balance }) => ({ at, amount, balance }))).toEqual(expected);
          expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
          // The mirror of an own account is only as good as what the gateway saw of it.
          if (account !== 'own') for (const line of lines) expect(line.balance).toBeGreaterThanOrEqual(0);

          for (const kind of statementKinds) {
            const ofKind = (await readAllPages(merchantId, now, { account, kind, from, to, limit })).flatMap(
              (page) => page.lines,
            );
            expect(ofKind).toEqual(
              lines.filter((line) => line.kind === kind).map((line) => ({ ...line, balance: null })),
            );
          }
        }
      },
    ),
    { numRuns: propertyRuns },
  );
  const differences = (await auditLedger(db)).filter(({ check }) =>
    /^a (balance|day) is the sum/.test(check),
  );
  expect(differences).toEqual([]);
});

test('every movement of the ledger has its line on the statement of each balance that it changes', () => {
  const cents = {
    amountCents: 3,
    feeCents: 1,
    reserveCents: 1,
    returnedCents: 1,
    blockedCents: 1,
    uncoveredCents: 1,
  };
  const parts = { fromAvailableCents: 1, fromReservedCents: 1, toAvailableCents: 1, toReservedCents: 1 };
  const entries = [1, -1].flatMap((differenceCents) =>
    Object.values(movements).flatMap((movement) => {
      // Each movement uses some of these parameters.
      const entriesOf = movement as (cause: object) => movements.LedgerEntry[];
      const cause = { merchantId: 1, reference: 'r', ...cents, ...parts, differenceCents };
      return [...entriesOf(cause), ...entriesOf({ ...cause, connectionId: 2 })];
    }),
  );
  expect(entries.length).toBeGreaterThan(80);
  for (const { event, connectionId, changes } of entries)
    for (const account of statementAccounts) {
      const isOwn = account === 'own';
      if (isOwn !== (connectionId !== HOUSE_CONNECTION)) continue;
      const change = changes[isOwn ? 'available' : account];
      if (change === undefined) continue;
      const lines = movementsByAccount[account].filter(
        (movement) => movement.event === event && movement.isCredit === change > 0,
      );
      expect([event, account, lines.length]).toEqual([event, account, 1]);
    }
});
