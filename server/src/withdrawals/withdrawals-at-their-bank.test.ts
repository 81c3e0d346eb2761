import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import type { GivenMerchant } from '../../test/given.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import {
  bothConnections,
  otherConnection,
  secondConnection,
  startSecondBank,
  type TwoBanks,
  withResponses,
} from '../../test/second-bank.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { bookReply, sendOrder } from '../bank-orders.ts';
import { reconcileDay } from '../bank-watch/index.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { handleStoppedAccounts } from '../failover.ts';
import { readReconciliationState } from '../gateway/index.ts';
import { invariant } from '../invariant.ts';
import { movements, post, readBalances } from '../ledger/index.ts';
import { newIdEnvio } from '../payments/index.ts';
import { endStopAt, lockPayoutsStopAt, readPayoutsStop, writePayoutsStop } from '../payouts-stop.ts';
import {
  type AtBank,
  atBank,
  type BankPayout,
  createBanks,
  HOUSE_CONNECTION,
  type PixPayouts,
  PspUnknown,
} from '../psp/index.ts';
import { reconcileWithdrawals } from './reconcile-withdrawals.ts';
import { lookUpWithdrawals, sendWithdrawals, withdrawalOperations } from './send-withdrawals.ts';
import { resumePayouts } from './stop-and-resume-payouts.ts';
import { findWithdrawal, insertWithdrawal, makeLookUpsDue } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

// The gateway sends from two accounts at two banks: the operator's own, and a second one.

let stand: WithdrawalStand;
let two: TwoBanks;
let merchant: GivenMerchant;
let ownerOfSecond: number;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  two = await startSecondBank(stand.gateway);
  ownerOfSecond = await insertMerchant(stand.deps.db);
  expect(await insertConnection(stand.deps.db, ownerOfSecond, secondConnection.pixKey)).toBe(
    secondConnection.id,
  );
  // A bank that lies about a payout moves no money, so the operator's own covers the difference.
  await stand.gateway.bank.moveMoney('deposit', 1_000_000);
});
afterAll(async () => {
  await two.stop();
  await stand.gateway.stop();
});
beforeEach(async () => {
  merchant = await stand.createFundedMerchant(1000);
  await two.openBooks(merchant.id);
});
afterEach(async () => {
  for (const id of bothConnections) await two.testBank(id).setBehaviour({});
  // A payout that no withdrawal asked for stops the others.
  await inTransaction(stand.deps, async (tx) => {
    await writePayoutsStop(tx, null);
    await endStopAt(tx, secondConnection.id);
  });
  await closeOpenItems();
});

const deps = () => ({ ...stand.deps, banks: two.banks });
const at = (connectionId: number): AtBank => atBank(deps(), connectionId);
const readStopAt = (connectionId: number) =>
  inTransaction(stand.deps, (tx) => lockPayoutsStopAt(tx, connectionId));

/** Closes all open items, as an operator who found their causes would. */
async function closeOpenItems(): Promise<void> {
  const { db, clock } = stand.deps;
  const closure = { closed_at: clock.now(), closed_by: stand.admin.id, evidence: 'conferido no banco' };
  await db.updateTable('open_items').set(closure).where('closed_at', 'is', null).execute();
}

/** Stores a withdrawal that was requested at this account, and is due to be sent. */
async function givenWithdrawalAt(connectionId: number, merchantId = merchant.id): Promise<Withdrawal> {
  const id = randomUUID();
  return inTransaction(stand.deps, async (tx) => {
    await post(
      tx,
      movements.withdrawalRequested({ merchantId, connectionId, reference: id, amountCents: 10_000 }),
    );
    return insertWithdrawal(tx, {
      ...{ merchantId, id, connectionId, idEnvio: newIdEnvio(merchantId), origin: 'panel' },
      ...{ amountCents: 10_000, feeCents: 150 },
      ...{ keyType: 'email', pixKey: 'maria@example.com', callbackUrl: null },
    });
  });
}

const reload = ({ merchantId, id }: Withdrawal) => findWithdrawal(stand.deps.db, merchantId, id);
const payoutsAt = async (connectionId: number, { idEnvio }: Withdrawal) =>
  (await two.testBank(connectionId).listPayouts()).filter((payout) => payout.idEnvio === idEnvio);

/** A bank's record of the withdrawal's idEnvio: by default that it paid. */
function recordOf(withdrawal: Withdrawal, change: Partial<BankPayout> = {}): BankPayout {
  return {
    idEnvio: withdrawal.idEnvio,
    endToEndId: 'E99999999202611281500abcdefghijk',
    status: 'completed',
    amountCents: netCents(withdrawal),
    pixKey: withdrawal.pixKey,
    requestedAt: stand.deps.clock.now(),
    refusal: undefined,
    returned: [],
    ...change,
  };
}

const payoutsOf = ({ psp: { payouts } }: AtBank): PixPayouts => {
  invariant(payouts !== undefined, 'Banco Sandbox sends Pix');
  return payouts;
};

/** Dependencies at a bank that gives these responses about payouts. */
function withPayouts(connectionId: number, responses: Partial<PixPayouts>): AtBank {
  const atThisBank = at(connectionId);
  return withResponses(atThisBank, { payouts: { ...payoutsOf(atThisBank), ...responses } });
}

/** Dependencies at a bank that lists this payout, and gives it as its answer to every look-up. */
const saying = (connectionId: number, payout: BankPayout) =>
  withPayouts(connectionId, {
    findPayout: async () => payout,
    async *listPayouts() {
      yield [payout];
    },
  });

/** Looks the withdrawal up at its own bank until it has ended. */
async function waitForEnd(withdrawal: Withdrawal): Promise<void> {
  await expect
    .poll(async () => {
      await two.advance(5);
      await stand.pollBankBalance();
      await lookUpWithdrawals(at(withdrawal.connectionId));
      return (await reload(withdrawal))?.status;
    })
    .toBe('completed');
}

describe.each(bothConnections)('a withdrawal requested at account %i', (own) => {
  const other = otherConnection(own);

  test('is sent and looked up by its own bank only', async () => {
    const withdrawal = await givenWithdrawalAt(own);
    expect(await sendWithdrawals(at(other))).toBe(0);
    expect(await reload(withdrawal)).toMatchObject({ status: 'pending', sendCount: 0 });
    expect(await sendWithdrawals(at(own))).toBe(1);
    const sent = await reload(withdrawal);
    await two.advance(60);
    // A notice may have made an earlier withdrawal at the other account due.
    await lookUpWithdrawals(at(other));
    expect(await reload(withdrawal)).toEqual(sent);
    await waitForEnd(withdrawal);
    expect(await payoutsAt(own, withdrawal)).toHaveLength(1);
    expect(await payoutsAt(other, withdrawal)).toEqual([]);
  });

  test.each([
    ['completed', {}],
    ['refused', { status: 'refused', refusal: { code: 'AC03', reason: 'não existe' } }],
    ['of another amount', { amountCents: 1 }],
  ] as const)('does not change when the other bank lists it as %s', async (_, change) => {
    await two.testBank(own).setBehaviour({ payouts: 'slow', slowSeconds: 3600, notifications: 'never' });
    const withdrawal = await givenWithdrawalAt(own);
    await sendWithdrawals(at(own));
    const sent = await reload(withdrawal);
    const otherBank = saying(other, recordOf(withdrawal, change));
    await reconcileWithdrawals(otherBank);
    await lookUpWithdrawals(otherBank);
    expect(await reload(withdrawal)).toEqual(sent);
    expect(await stand.readOpenItemKinds(withdrawal.id)).toEqual([]);
    await two.advance(3600);
    await waitForEnd(withdrawal);
  });

  test('is not returned when the other bank lists a return of it', async () => {
    const withdrawal = await givenWithdrawalAt(own);
    await sendWithdrawals(at(own));
    await waitForEnd(withdrawal);
    const returned = [{ rtrId: 'D1', amountCents: netCents(withdrawal), at: stand.deps.clock.now() }];
    await reconcileWithdrawals(saying(other, recordOf(withdrawal, { returned })));
    expect(await reload(withdrawal)).toMatchObject({ status: 'completed', returnedCents: 0 });
    await reconcileWithdrawals(saying(own, recordOf(withdrawal, { returned })));
    expect(await reload(withdrawal)).toMatchObject({ status: 'failed', returnedCents: netCents(withdrawal) });
  });

  test('becomes due by a hint of its own bank only', async () => {
    await two.testBank(own).setBehaviour({ payouts: 'down' });
    const withdrawal = await givenWithdrawalAt(own);
    await sendWithdrawals(at(own));
    const readDueAt = async () => (await stand.rowOf(withdrawal.id)).due_at;
    const dueAt = await readDueAt();
    await inTransaction(stand.deps, (tx) => makeLookUpsDue(tx, other, [withdrawal]));
    expect(await readDueAt()).toEqual(dueAt);
    await inTransaction(stand.deps, (tx) => makeLookUpsDue(tx, own, [withdrawal]));
    expect(await readDueAt()).not.toEqual(dueAt);
    await two.testBank(own).setBehaviour({});
    await two.advance(200);
    await waitForEnd(withdrawal);
  });

  test('is never taken to the other bank, even by mistake', async () => {
    const withdrawal = await givenWithdrawalAt(own);
    const atOther = at(other);
    const operations = withdrawalOperations(atOther, payoutsOf(atOther));
    await expect(sendOrder(atOther, operations, withdrawal)).rejects.toThrow('another account');
    const reply = { is: 'answered', answer: recordOf(withdrawal) } as const;
    await expect(bookReply(atOther, operations, withdrawal, reply)).rejects.toThrow('another account');
    expect(await payoutsAt(other, withdrawal)).toEqual([]);
    await sendWithdrawals(at(own));
    await waitForEnd(withdrawal);
  });
});

test('a payout of one bank under the idEnvio of another’s is one that no withdrawal asked for', async () => {
  const withdrawal = await givenWithdrawalAt(HOUSE_CONNECTION);
  await sendWithdrawals(at(HOUSE_CONNECTION));
  await waitForEnd(withdrawal);
  await reconcileWithdrawals(saying(secondConnection.id, recordOf(withdrawal)));
  expect(await reload(withdrawal)).toMatchObject({ status: 'completed' });
  expect(await stand.readOpenItemKinds(withdrawal.idEnvio)).toEqual(['payout-not-debited']);
  // Its owner can send there under any id, so it stops the payouts from that account only.
  expect(await readPayoutsStop(stand.deps.db)).toBeNull();
  expect(await readStopAt(secondConnection.id)).not.toBeNull();
});

test('what the operator found out about a payout of one bank explains none of another’s under the same idEnvio', async () => {
  const order = recordOf(await givenWithdrawalAt(HOUSE_CONNECTION));
  const unknown = { ...order, idEnvio: newIdEnvio(merchant.id) };
  await reconcileWithdrawals(saying(secondConnection.id, unknown));
  expect(await stand.readOpenItemKinds(unknown.idEnvio)).toEqual(['payout-not-debited']);
  await closeOpenItems();
  await reconcileWithdrawals(saying(secondConnection.id, unknown));
  expect(await stand.readOpenItemKinds(unknown.idEnvio)).toEqual([]);
  await reconcileWithdrawals(saying(HOUSE_CONNECTION, unknown));
  expect(await stand.readOpenItemKinds(unknown.idEnvio)).toEqual(['payout-not-debited']);
  await inTransaction(stand.deps, (tx) => writePayoutsStop(tx, null));
  await sendWithdrawals(at(HOUSE_CONNECTION));
});

test('what a merchant sends from an account of their own by other means stops nothing', async () => {
  const order = recordOf(await givenWithdrawalAt(HOUSE_CONNECTION));
  const sentElsewhere = { ...order, idEnvio: `estranho${merchant.id}` };
  await reconcileWithdrawals(saying(secondConnection.id, sentElsewhere));
  expect(await stand.readOpenItemKinds(sentElsewhere.idEnvio)).toEqual([]);
  expect(await readPayoutsStop(stand.deps.db)).toBeNull();
  await reconcileWithdrawals(saying(HOUSE_CONNECTION, sentElsewhere));
  expect(await stand.readOpenItemKinds(sentElsewhere.idEnvio)).toEqual(['payout-not-debited']);
  await inTransaction(stand.deps, (tx) => writePayoutsStop(tx, null));
  await sendWithdrawals(at(HOUSE_CONNECTION));
});

test('a payout of another account of the same merchant is no forged one, as two keys of one bank account show it', async () => {
  const { db, clock } = stand.deps;
  const sibling = await insertConnection(db, ownerOfSecond, 'outra-chave@example.com');
  const payout = recordOf(await givenWithdrawalAt(sibling, ownerOfSecond));
  const listing = saying(secondConnection.id, payout);
  await reconcileWithdrawals(listing);
  await reconcileDay(listing, calendarDayOf(clock.now()));
  expect(await stand.readOpenItemKinds(payout.idEnvio)).toEqual([]);
  expect(await readStopAt(secondConnection.id)).toBeNull();
});

test('returns under the same rtrId at two banks are each booked', async () => {
  const withdrawals: Withdrawal[] = [];
  for (const id of bothConnections) {
    const withdrawal = await givenWithdrawalAt(id);
    await sendWithdrawals(at(id));
    await waitForEnd(withdrawal);
    withdrawals.push(withdrawal);
  }
  for (const withdrawal of withdrawals) {
    const returned = [{ rtrId: 'D2', amountCents: netCents(withdrawal), at: stand.deps.clock.now() }];
    const payout = recordOf(withdrawal, { returned });
    for (let times = 0; times < 2; times += 1)
      await reconcileWithdrawals(saying(withdrawal.connectionId, payout));
    const where = withdrawal.connectionId === HOUSE_CONNECTION ? /ao seu saldo/ : /à conta bancária da qual/;
    expect(await reload(withdrawal)).toMatchObject({
      status: 'failed',
      returnedCents: netCents(withdrawal),
      error: expect.stringMatching(where),
    });
  }
  // Each in the books of its own account. The fee of the second account's cannot be kept back, and is due.
  const { db } = stand.deps;
  expect(await readBalances(db, merchant.id)).toMatchObject({ available: 100_000 - 150, fees_due: -150 });
  expect(await readBalances(db, merchant.id, secondConnection.id)).toMatchObject({ available: 0, psp: 0 });
});

test('each bank’s list is read from where it was last read, and the figure is of the operator’s own', async () => {
  const readPositions = () =>
    stand.deps.db
      .selectFrom('payout_list_position')
      .select(['connection_id', 'read_until'])
      .orderBy('connection_id')
      .execute();
  await reconcileWithdrawals(at(secondConnection.id));
  const [, behind] = await readPositions();
  await two.advance(60);
  await reconcileWithdrawals(at(HOUSE_CONNECTION));
  const [ahead, unchanged] = await readPositions();
  expect(unchanged).toEqual(behind);
  expect(ahead?.read_until.getTime()).toBeGreaterThan(behind?.read_until.getTime() ?? 0);
  expect(await readReconciliationState(stand.deps.db)).toMatchObject({ sentUntil: ahead?.read_until });
  for (const [connectionId, position] of [
    [HOUSE_CONNECTION, ahead],
    [secondConnection.id, behind],
  ] as const) {
    const starts: Date[] = [];
    const listing = withPayouts(connectionId, {
      // biome-ignore lint/correctness/useYield: the list is empty
      async *listPayouts(from) {
        starts.push(from);
      },
    });
    await reconcileWithdrawals(listing);
    // Ten minutes are read again each time.
    expect(starts[0]?.getTime()).toBe((position?.read_until.getTime() ?? 0) - 600_000);
  }
});

describe('payouts are resumed', () => {
  const stop = () => inTransaction(stand.deps, (tx) => writePayoutsStop(tx, 'conta em mudança'));
  const resumeWith = (second: AtBank) =>
    resumePayouts(
      { ...deps(), banks: createBanks(two.banks.house, [second]) },
      stand.admin.id,
      'tudo conferido',
    );

  /** Makes the comparison with the second account's bank that is due. */
  async function compare(second: AtBank): Promise<void> {
    await sql`update stopped_connections set compare_at = now()`.execute(stand.deps.db);
    await handleStoppedAccounts({ ...deps(), banks: createBanks(two.banks.house, [second]) });
  }
  const silentAt = (connectionId: number) =>
    withPayouts(connectionId, {
      // biome-ignore lint/correctness/useYield: the bank fails before the first page
      async *listPayouts() {
        throw new PspUnknown('no answer');
      },
    });

  test('only when the bank of the operator’s own account says what it sent', async () => {
    await stop();
    const banks = createBanks(silentAt(HOUSE_CONNECTION), [at(secondConnection.id)]);
    await expect(resumePayouts({ ...deps(), banks }, stand.admin.id, 'tudo conferido')).rejects.toMatchObject(
      { code: 'PAYOUTS_IN_QUESTION' },
    );
    expect(await readPayoutsStop(stand.deps.db)).toBe('conta em mudança');
  });

  test('from another account only when its own bank says what it sent, and nobody waits for that', async () => {
    await stop();
    const own = await givenWithdrawalAt(HOUSE_CONNECTION);
    merchant = await stand.createFundedMerchant(1000);
    await two.openBooks(merchant.id);
    const other = await givenWithdrawalAt(secondConnection.id);
    for (const id of bothConnections) await sendWithdrawals(at(id));
    await resumeWith(silentAt(secondConnection.id));
    expect(await readPayoutsStop(stand.deps.db)).toBeNull();
    for (const id of bothConnections) await sendWithdrawals(at(id));
    await waitForEnd(own);
    await compare(silentAt(secondConnection.id));
    await two.advance(60);
    await sendWithdrawals(at(secondConnection.id));
    expect(await reload(other)).toMatchObject({
      status: 'pending',
      errorCode: 'WITHDRAWALS_PAUSED',
      error: expect.stringMatching(/^Os envios desta conta bancária/),
    });
    await compare(at(secondConnection.id));
    await sendWithdrawals(at(secondConnection.id));
    await waitForEnd(other);
  });

  test('from an account only when no payout from it is unexplained', async () => {
    await stop();
    const withdrawal = await givenWithdrawalAt(HOUSE_CONNECTION);
    const { idEnvio } = withdrawal;
    const unexplained = saying(secondConnection.id, recordOf(withdrawal));
    await resumeWith(unexplained);
    expect(await readPayoutsStop(stand.deps.db)).toBeNull();
    await compare(unexplained);
    expect(await stand.readOpenItemKinds(idEnvio)).toEqual(['payout-not-debited']);
    expect(await readStopAt(secondConnection.id)).not.toBeNull();
    await closeOpenItems();
    await compare(unexplained);
    expect(await readStopAt(secondConnection.id)).toBeNull();
    await stop();
    const atHouse = saying(HOUSE_CONNECTION, { ...recordOf(withdrawal), idEnvio: newIdEnvio(merchant.id) });
    const banks = createBanks(atHouse, [at(secondConnection.id)]);
    await expect(resumePayouts({ ...deps(), banks }, stand.admin.id, 'tudo conferido')).rejects.toMatchObject(
      { code: 'PAYOUTS_IN_QUESTION' },
    );
    await sendWithdrawals(at(HOUSE_CONNECTION));
  });
});
