import { health } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { parseSuccess } from '../../test/given.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { withPsp } from '../../test/with-psp.ts';
import { createDb, createPool } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { readLiveWarnings } from '../gateway/live-warnings.ts';
import { movements, post } from '../ledger/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { type AtBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { readPayoutState } from '../withdrawals/index.ts';
import { readLastBalancePoll, readNeededBalance } from './balance-store.ts';
import {
  closeItem,
  isBankBalanceUnknown,
  isBankBalanceUnknownForDisplay,
  refuseLowBankBalance,
} from './index.ts';
import { watchBalance } from './watch-balance.ts';

let gateway: TestGateway;
let deps: AtBank;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  deps = gateway.deps;
  await gateway.bank.pay({ key: deps.config.pixKey, amount: 100 });
  await reconcilePayments(deps);
});
afterAll(() => gateway.stop());

// Each test begins with R$ 100,00 in the bank account, exactly the merchants' money, and without an earlier poll.
beforeEach(async () => {
  await gateway.bank.setBehaviour({});
  const balance = await gateway.bank.balanceCents();
  if (balance !== 10_000) await gateway.bank.moveMoney(...movementOf(10_000 - balance));
  await deps.db.updateTable('gateway').set({ payouts_stopped_because: null }).execute();
  await deps.db.deleteFrom('bank_balance').execute();
  const closure = {
    kind: 'bank-balance-low',
    connectionId: HOUSE_CONNECTION,
    reference: 'account',
    evidence: 'the next test',
  } as const;
  await inTransaction(deps, (tx) => closeItem(tx, closure));
});

function movementOf(cents: number): ['deposit' | 'withdrawal', number] {
  return cents > 0 ? ['deposit', cents] : ['withdrawal', -cents];
}

async function readStopReason(): Promise<string | null> {
  const { payouts_stopped_because } = await deps.db
    .selectFrom('gateway')
    .select('payouts_stopped_because')
    .executeTakeFirstOrThrow();
  return payouts_stopped_because;
}

const listOpenItems = () =>
  deps.db.selectFrom('open_items').select(['kind', 'detail']).where('closed_at', 'is', null).execute();
const isInDoubt = () => inTransaction(deps, (tx) => isBankBalanceUnknown(tx, true));

async function readWarnings(): Promise<readonly string[]> {
  const { body } = await gateway.api('GET', '/health');
  const { details } = (body as { error: { details: object } }).error;
  return parseSuccess(health.response, { status: 200, headers: {}, body: { ...details, status: 'ok' } })
    .warnings;
}

test('payouts continue while the bank account covers the merchants’ money', async () => {
  expect(await isInDoubt()).toBe(true);
  expect(await readWarnings()).toContain('bank-balance-unknown');
  await watchBalance(deps);
  expect(await readLastBalancePoll(deps.db)).toMatchObject({ balanceCents: 10_000, neededCents: 10_000 });
  expect(await isInDoubt()).toBe(false);
  expect(await readWarnings()).not.toContain('bank-balance-unknown');
  await gateway.advance(60);
  await watchBalance(deps);
  expect(await readStopReason()).toBeNull();
});

test('after two low polls a minute apart, payouts stop and one item is opened for the operator', async () => {
  await gateway.bank.moveMoney('withdrawal', 1);
  await watchBalance(deps);
  await gateway.advance(59);
  await watchBalance(deps);
  expect([await readStopReason(), await listOpenItems()]).toEqual([null, []]);
  await gateway.advance(1);
  await watchBalance(deps);
  expect(await readStopReason()).toMatch(/^o banco tinha R\$\s99,99 onde R\$\s100,00 são dos lojistas$/);
  expect(await listOpenItems()).toMatchObject([
    { kind: 'bank-balance-low', detail: { balance_cents: 9999, needed_cents: 10_000 } },
  ]);
  expect(await readWarnings()).toEqual(expect.arrayContaining(['payouts-stopped', 'open-items']));
  await gateway.advance(60);
  await watchBalance(deps);
  expect(await listOpenItems()).toHaveLength(1);
});

test('a low poll that is followed by a sufficient balance a minute later does not stop payouts', async () => {
  for (const kind of ['withdrawal', 'deposit', 'withdrawal', 'deposit'] as const) {
    await gateway.bank.moveMoney(kind, 500);
    await watchBalance(deps);
    await gateway.advance(60);
  }
  expect(await readStopReason()).toBeNull();
});

test('a bank that does not report its balance delays payouts, without stopping them', async () => {
  await gateway.bank.setBehaviour({ confirmations: 'down' });
  await gateway.bank.moveMoney('withdrawal', 1);
  for (let round = 0; round < 3; round += 1) {
    await watchBalance(deps);
    expect(await isInDoubt()).toBe(true);
    await gateway.advance(10);
  }
  expect([await readStopReason(), await listOpenItems()]).toEqual([null, []]);
  await gateway.bank.setBehaviour({});
  await watchBalance(deps);
  expect(await isInDoubt()).toBe(false);
  // Two low polls stop payouts even if failed polls lie between them.
  await gateway.bank.setBehaviour({ confirmations: 'down' });
  await gateway.advance(60);
  await watchBalance(deps);
  await gateway.bank.setBehaviour({});
  await gateway.advance(10);
  await watchBalance(deps);
  expect(await readStopReason()).not.toBeNull();
});

test('the last balance reported stays visible with its time during an outage', async () => {
  await watchBalance(deps);
  const lastState = await readPayoutState(deps.db);
  expect(lastState).toMatchObject({ balanceCents: 10_000, bankReportsBalance: true });
  expect(await isBankBalanceUnknownForDisplay(deps)).toBe(false);
  await gateway.bank.setBehaviour({ confirmations: 'down' });
  await gateway.advance(60);
  await watchBalance(deps);
  expect(await readPayoutState(deps.db)).toEqual({ ...lastState, bankReportsBalance: false });
  expect(await isBankBalanceUnknownForDisplay(deps)).toBe(true);
});

test('a poll of the balance says nothing after three minutes', async () => {
  await watchBalance(deps);
  await gateway.advance(181);
  expect(await isInDoubt()).toBe(true);
  expect(await readWarnings()).toContain('bank-balance-unknown');
});

test('a bank with payouts but without a balance query is not watched, and a warning says so', async () => {
  const { account: _, ...psp } = deps.psp;
  const without = withPsp(deps, psp);
  await watchBalance(without);
  expect(await readLastBalancePoll(deps.db)).toBeUndefined();
  expect(await inTransaction(deps, (tx) => isBankBalanceUnknown(tx, false))).toBe(false);
  expect(await readLiveWarnings(without, undefined)).toContain('bank-balance-unwatched');
  await refuseLowBankBalance(without);
});

test('payouts resume only if the account covers the merchants’ money', async () => {
  await refuseLowBankBalance(deps);
  await gateway.bank.moveMoney('withdrawal', 1);
  await expect(refuseLowBankBalance(deps)).rejects.toMatchObject({ code: 'BANK_BALANCE_LOW' });
  await gateway.bank.setBehaviour({ confirmations: 'down' });
  await expect(refuseLowBankBalance(deps)).rejects.toMatchObject({ message: /não informou/ });
});

test('a merchant’s debt lowers the required balance, since the bank took that money, until the debt is repaid', async () => {
  const database = await createTestDatabase();
  const db = createDb(createPool({ url: database.appUrl }));
  const merchantId = await insertMerchant(db);
  const postEntries = (entries: movements.LedgerEntry[]) =>
    inTransaction({ db, clock: deps.clock }, (tx) => post(tx, entries));
  await postEntries(movements.unmatchedReceived({ reference: 'E-1', amountCents: 10_000 }));
  await postEntries(
    movements.disputeLost({ merchantId, reference: 'D-1', blockedCents: 0, uncoveredCents: 2500 }),
  );
  expect(await readNeededBalance(db)).toBe(7500);
  const paid = { merchantId, reference: 'E-2', amountCents: 3000, feeCents: 100, reserveCents: 400 };
  await postEntries(movements.paymentReceived(paid));
  expect(await readNeededBalance(db)).toBe(10_400);
  await db.destroy();
  await database.drop();
});
