import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { defaultPin, type GivenMerchant, givenCharge } from '../../test/given.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { settleReceived } from '../payments/index.ts';
import type { AtBank, BankPayout, BankReceivedPix } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawal, resolveWithdrawal } from './administer-withdrawals.ts';
import { claimNextWithdrawal, sendingRulesFrom } from './claim-withdrawals.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { sendWithdrawals } from './send-withdrawals.ts';
import { settleWithdrawal } from './settle-withdrawal.ts';
import { resumePayouts, stopPayouts } from './stop-and-resume-payouts.ts';
import { findOpenWithdrawal } from './store.ts';

const isLongRun = process.env['LONG'] === '1';
const rounds = isLongRun ? 1000 : 8;
const raceRounds = isLongRun ? 200 : 6;

let stand: WithdrawalStand;
/** Another process of the same gateway. */
let secondGateway: TestGateway;
let processes: readonly [AtBank, AtBank];

beforeAll(async () => {
  stand = await WithdrawalStand.start({ WITHDRAWAL_DAY: '1000000', GATEWAY_DAY: '10000000' });
  secondGateway = await startTestGateway({
    startsWork: false,
    sharedGateway: stand.gateway,
    env: { GATEWAY_DAY: '10000000' },
  });
  processes = [stand.deps, secondGateway.deps];
});
afterAll(async () => {
  expect(await countDeadlocks(stand.deps.db)).toBe(0);
  await secondGateway.stop();
  await stand.gateway.stop();
});

const processOf = (index: number): AtBank => processes[index % 2 === 0 ? 0 : 1];

const orderOf = (merchant: GivenMerchant, amountCents: number) =>
  ({
    merchantId: merchant.id,
    amountCents,
    feeCents: 150,
    keyType: 'email',
    pixKey: 'maria@example.com',
    origin: 'panel',
    callbackUrl: null,
  }) as const;

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** The number of calls by outcome. */
async function countOutcomes(
  count: number,
  work: (index: number) => Promise<string>,
): Promise<Record<string, number>> {
  const outcomes = await runConcurrently(count, work);
  const names = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason),
  );
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

/** Fails an unsent withdrawal, which returns the money. */
async function refuseOpen(merchant: GivenMerchant): Promise<void> {
  const open = await findOpenWithdrawal(stand.deps.db, merchant.id);
  if (open === undefined) throw new Error('None is open.');
  const resolution = { outcome: 'refused', evidence: 'para a próxima rodada' } as const;
  await resolveWithdrawal(stand.deps, stand.admin.id, open, resolution);
}

describe('64 concurrent withdrawals of the whole balance', () => {
  test(`${rounds} times, in two processes: one is accepted, and 63 are refused as already in progress`, async () => {
    const merchant = await stand.createFundedMerchant(1000);
    for (let round = 0; round < rounds; round += 1) {
      const outcomes = await countOutcomes(64, (index) =>
        outcomeOf(requestWithdrawal(processOf(index), orderOf(merchant, 100_000))),
      );
      expect(outcomes).toEqual({ accepted: 1, WITHDRAWAL_PENDING: 63 });
      const balances = await readBalances(stand.deps.db, merchant.id);
      expect(balances).toMatchObject({ available: 0, in_transit: 100_000 });
      await refuseOpen(merchant);
    }
    expect(await readBalances(stand.deps.db, merchant.id)).toMatchObject({
      available: 100_000,
      in_transit: 0,
    });
  });

  test('through HTTP, with the PIN: one is accepted', async () => {
    const merchant = await stand.createFundedMerchant(1000);
    const body = {
      amount: 1000,
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      withdrawal_pin: defaultPin,
    };
    const outcomes = await countOutcomes(64, async (index) => {
      const gateway = index % 2 === 0 ? stand.gateway : secondGateway;
      const headers = { 'idempotency-key': randomUUID() };
      const response = await gateway.api('POST', '/authed/withdraw', body, {
        token: merchant.token,
        headers,
      });
      const { error } = response.body as { error?: { code: string } };
      return error?.code ?? 'accepted';
    });
    // So many concurrent calls exceed both the PIN attempts and the number of concurrent hashes.
    const { accepted, WITHDRAWAL_PENDING = 0, PIN_LOCKED = 0, OVERLOADED = 0 } = outcomes;
    expect(accepted).toBe(1);
    expect(1 + WITHDRAWAL_PENDING + PIN_LOCKED + OVERLOADED).toBe(64);
    expect(await readBalances(stand.deps.db, merchant.id)).toMatchObject({
      available: 0,
      in_transit: 100_000,
    });
    await refuseOpen(merchant);
  });

  test('under one Idempotency-Key: one is accepted, and all get its response', async () => {
    const merchant = await stand.createFundedMerchant(1000);
    const id = randomUUID();
    const idempotency = { resumedId: id, remember: async () => {} };
    const accepted = await runConcurrently(64, (index) =>
      requestWithdrawal(processOf(index), orderOf(merchant, 100_000), idempotency),
    );
    const ids = accepted.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.id : String(outcome.reason),
    );
    expect(new Set(ids)).toEqual(new Set([id]));
    await refuseOpen(merchant);
  });
});

/** Creates this many merchants, each with a waiting withdrawal of R$ 100,00. */
async function givenQueue(count: number): Promise<GivenMerchant[]> {
  const merchants: GivenMerchant[] = [];
  for (let made = 0; made < count; made += 1) {
    const merchant = await stand.createFundedMerchant(200);
    await requestWithdrawal(stand.deps, orderOf(merchant, 10_000));
    merchants.push(merchant);
  }
  return merchants;
}

/** Reads the withdrawals of these merchants; `sent` are those that were sent at least once. */
async function readWithdrawals(merchants: readonly GivenMerchant[]) {
  const rows = await stand.deps.db
    .selectFrom('withdrawals')
    .select(['merchant_id', 'id_envio', 'send_count', 'status'])
    .where(
      'merchant_id',
      'in',
      merchants.map(({ id }) => id),
    )
    .execute();
  return { rows, sent: rows.filter(({ send_count }) => send_count > 0) };
}

describe('orders taken by several processes', () => {
  test('are sent once each', async () => {
    const merchants = await givenQueue(12);
    await Promise.all([...processes, ...processes].map((deps) => sendWithdrawals(deps)));
    const { rows } = await readWithdrawals(merchants);
    expect(rows.map(({ send_count }) => send_count)).toEqual(Array.from({ length: 12 }, () => 1));
    const ids = new Set(rows.map((row) => row.id_envio));
    const atBank = (await stand.gateway.bank.listPayouts()).filter(({ idEnvio }) => ids.has(idEnvio));
    expect(atBank).toHaveLength(12);
    await stand.advanceInSteps(20);
  });

  test('are claimed by only one process each', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [merchant] = await givenQueue(1);
      if (merchant === undefined) throw new Error('There is no merchant.');
      const claims = await runConcurrently(16, (index) => {
        const deps = processOf(index);
        return inTransaction(deps, (tx) => claimNextWithdrawal(tx, sendingRulesFrom(deps)));
      });
      const claimed = claims.filter(
        (outcome) => outcome.status === 'fulfilled' && outcome.value.is === 'claimed',
      );
      expect(claimed).toHaveLength(1);
      expect(claims.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
    await stand.advanceInSteps(300);
  });

  test('do not exceed the gateway’s daily limit together', async () => {
    await stand.advanceToNoon();
    const merchants = await givenQueue(10);
    const strictGateways = await Promise.all(
      [1, 2].map(() =>
        startTestGateway({ startsWork: false, sharedGateway: stand.gateway, env: { GATEWAY_DAY: '500' } }),
      ),
    );
    await Promise.all(strictGateways.map(({ deps }) => sendWithdrawals(deps)));
    const { sent } = await readWithdrawals(merchants);
    expect(sent).toHaveLength(5);
    await Promise.all(strictGateways.map((gateway) => gateway.stop()));
    await stand.advanceToNoon();
    await stand.sendDueWithdrawals();
    await stand.advanceInSteps(20);
  });

  test('are not sent after payouts were stopped in between', async () => {
    const merchants = await givenQueue(16);
    const sending = Promise.all(processes.map((deps) => sendWithdrawals(deps)));
    await stopPayouts(stand.deps, stand.admin.id, 'no meio do caminho');
    const { sent } = await readWithdrawals(merchants);
    await sending;
    await stand.gateway.advance(60);
    await Promise.all(processes.map((deps) => sendWithdrawals(deps)));
    expect((await readWithdrawals(merchants)).sent).toHaveLength(sent.length);
    await stand.pollBankBalance();
    await resumePayouts(stand.deps, stand.admin.id, 'segue');
    await Promise.all(processes.map((deps) => sendWithdrawals(deps)));
    expect((await readWithdrawals(merchants)).sent).toHaveLength(16);
    await stand.advanceInSteps(20);
  });
});

describe('an operator who holds a withdrawal while processes send it', () => {
  test(`${raceRounds} times: the withdrawal is held and stays, or it was sent and the hold is refused`, async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < raceRounds; round += 1) {
      const [merchant] = await givenQueue(1);
      if (merchant === undefined) throw new Error('There is no merchant.');
      const open = await findOpenWithdrawal(stand.deps.db, merchant.id);
      if (open === undefined) throw new Error('None is open.');
      const order = { ...open, actorId: stand.admin.id, reason: 'conferir' };
      const [holdOutcome] = await Promise.all([
        outcomeOf(holdWithdrawal(processOf(round), order)),
        ...processes.map((deps) => sendWithdrawals(deps)),
      ]);
      await sendWithdrawals(processOf(round));
      expect(await stand.payoutsOf(open.id)).toHaveLength(holdOutcome === 'accepted' ? 0 : 1);
      outcomes.push(holdOutcome);
      if (holdOutcome === 'accepted') await refuseOpen(merchant);
    }
    expect(outcomes.filter((outcome) => outcome !== 'accepted' && outcome !== 'WITHDRAWAL_SENT')).toEqual([]);
    await stand.advanceInSteps(20);
  });
});

describe('concurrent replies of the bank', () => {
  test('are booked once', async () => {
    const [merchant] = await givenQueue(1);
    if (merchant === undefined) throw new Error('There is no merchant.');
    const claimed = await inTransaction(stand.deps, (tx) =>
      claimNextWithdrawal(tx, sendingRulesFrom(stand.deps)),
    );
    if (claimed.is !== 'claimed') throw new Error('It was not claimed.');
    const { idEnvio, pixKey } = claimed.withdrawal;
    const order = { idEnvio, pixKey, amountCents: 9850, note: '' };
    await stand.deps.psp.payouts?.sendPayout(order);
    const payout: BankPayout = {
      ...order,
      endToEndId: undefined,
      status: 'completed',
      requestedAt: undefined,
      refusal: undefined,
      returned: [],
    };
    const outcomes = await runConcurrently(32, (index) =>
      inTransaction(processOf(index), (tx) =>
        settleWithdrawal(
          tx,
          claimed.withdrawal,
          index % 4 === 3 ? { is: 'not-found' } : { is: 'answered', answer: payout },
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await readBalances(stand.deps.db, merchant.id)).toMatchObject({
      available: 10_000,
      in_transit: 0,
      fees: 150,
    });
    expect((await stand.readEvents(claimed.withdrawal.id)).map(({ event }) => event)).toEqual([
      'pending',
      'paid',
    ]);
    const notifications = (await stand.readNotifications(merchant)).filter(
      ({ title }) => title === 'Saque concluído',
    );
    expect(notifications).toHaveLength(1);
  });

  test('with a definite refusal and a not-found look-up return the money once', async () => {
    const [merchant] = await givenQueue(1);
    if (merchant === undefined) throw new Error('There is no merchant.');
    const claimed = await inTransaction(stand.deps, (tx) =>
      claimNextWithdrawal(tx, sendingRulesFrom(stand.deps)),
    );
    if (claimed.is !== 'claimed') throw new Error('It was not claimed.');
    const refusal = { code: undefined, reason: undefined };
    await runConcurrently(32, (index) =>
      inTransaction(processOf(index), (tx) =>
        settleWithdrawal(
          tx,
          claimed.withdrawal,
          index % 2 === 0 ? { is: 'refused', refusal } : { is: 'not-found' },
        ),
      ),
    );
    expect(await readBalances(stand.deps.db, merchant.id)).toMatchObject({
      available: 20_000,
      in_transit: 0,
    });
  });
});

describe('concurrent payments and withdrawals of one account', () => {
  /** Pays charges at the bank, and returns the Pix, which are not booked yet. */
  async function payAtBank(merchant: GivenMerchant, count: number): Promise<BankReceivedPix[]> {
    const { deps, bank } = stand.gateway;
    const paid: BankReceivedPix[] = [];
    for (let made = 0; made < count; made += 1) {
      const { content } = await givenCharge(stand.gateway, merchant, { amount: 10 });
      const pix = await deps.psp.findReceivedPix(await bank.pay({ brCode: content }));
      if (pix !== undefined) paid.push(pix);
    }
    return paid;
  }

  test('never deadlock, and both are booked', async () => {
    const merchant = await stand.createFundedMerchant(500);
    const paid = await payAtBank(merchant, 6 * raceRounds);
    for (let round = 0; round < raceRounds; round += 1) {
      const settlements = paid
        .slice(6 * round, 6 * round + 6)
        .map((pix, index) =>
          inTransaction(processOf(index), (tx) => settleReceived(tx, [pix], stand.deps.connection)),
        );
      const requests = processes.map((deps) => outcomeOf(requestWithdrawal(deps, orderOf(merchant, 1000))));
      const outcomes = await Promise.all(requests);
      await Promise.all(settlements);
      expect(outcomes.sort()).toEqual(['WITHDRAWAL_PENDING', 'accepted']);
      await refuseOpen(merchant);
      expect(await readBalances(stand.deps.db, merchant.id)).toMatchObject({
        available: 50_000 + 6000 * (round + 1),
        in_transit: 0,
      });
    }
    expect(await countDeadlocks(stand.deps.db)).toBe(0);
  });
});
