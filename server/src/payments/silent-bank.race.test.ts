import { randomUUID } from 'node:crypto';
import { createdPayment, errorEnvelope, transactionFeed } from '@jangada/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntilEventsAreVisible } from '../../test/feed.ts';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { invariant } from '../invariant.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { atBank, type BankCharge, type ChargeOrder, type Psp, PspRefused, PspUnknown } from '../psp/index.ts';
import { expireCharges } from './end-charges.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { removeAbandonedCharges } from './remove-abandoned-charges.ts';
import { findCharge } from './store.ts';

// Merchants with two accounts at two banks, of which the first does not always answer.

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

type TwoAccounts = GivenMerchant & { readonly first: OwnBank; readonly second: OwnBank };
async function givenTwoAccounts(): Promise<TwoAccounts> {
  const merchant = await stand.givenDirectMerchant(2);
  const [first, second] = merchant.own;
  invariant(first !== undefined && second !== undefined, 'two accounts');
  return { ...merchant, first, second };
}

const at = ({ id }: OwnBank) => atBank(stand.gateway.deps, id);
const request = ({ apiKey }: GivenMerchant, key: string = randomUUID()) =>
  stand.gateway.api(
    'POST',
    '/pix/new',
    { amount: 50, external_id: 'pedido-7' },
    { apiKey, headers: { 'idempotency-key': key } },
  );
const created = async (merchant: GivenMerchant, key?: string) =>
  parseSuccess(createdPayment, await request(merchant, key));
const feedOf = async ({ token }: GivenMerchant) =>
  parseSuccess(
    transactionFeed.response,
    await stand.gateway.api('GET', '/authed/feed/transactions?limit=100&offset=0', undefined, { token }),
  );
const stored = async ({ id: merchantId }: GivenMerchant, id: string) => {
  const charge = await findCharge(stand.gateway.deps.db, merchantId, id);
  invariant(charge !== undefined, 'a charge that was answered');
  return charge;
};
const abandonedOf = ({ id }: GivenMerchant) =>
  stand.gateway.deps.db.selectFrom('abandoned_charges').selectAll().where('merchant_id', '=', id).execute();
const eventsOf = async ({ id }: GivenMerchant) => {
  await waitUntilEventsAreVisible(stand.gateway);
  const rows = await stand.gateway.deps.db
    .selectFrom('events')
    .select('type')
    .where('merchant_id', '=', id)
    .execute();
  return rows.map(({ type }) => type);
};
/** Makes the bank create the charge, but give no response. */
const creatingSilently = (psp: Psp): Psp => ({
  ...psp,
  async createCharge(order: ChargeOrder): Promise<BankCharge> {
    await psp.createCharge(order);
    throw new PspUnknown('no response');
  },
  findCharge: () => Promise.reject(new PspUnknown('no response')),
});
/** Until every abandoned charge is due. */
const abandonmentSeconds = 200;

describe('a charge whose bank does not answer', () => {
  test('is made at the next account, as the one charge of the call', async () => {
    const merchant = await givenTwoAccounts();
    await merchant.first.bank.setBehaviour({ charges: 'down' });
    const answer = await created(merchant, 'one-call');
    expect(await created(merchant, 'one-call')).toEqual(answer);
    const charge = await stored(merchant, answer.id);
    expect(charge).toMatchObject({
      connectionId: merchant.second.id,
      status: 'pending',
      brCode: answer.content,
    });
    expect(await at(merchant.second).psp.findCharge(charge.txid, 'immediate')).toMatchObject({
      status: 'active',
    });
    expect(await feedOf(merchant)).toMatchObject({ total: 1, counts: { all: 1, pending: 1, error: 0 } });
    expect(await eventsOf(merchant)).toEqual([]);
    expect(await auditLedger(stand.gateway.deps.db)).toEqual([]);
    await merchant.second.bank.pay({ brCode: answer.content });
    await reconcilePayments(at(merchant.second));
    expect(await stored(merchant, answer.id)).toMatchObject({ status: 'paid' });
  });

  test('is not waited for longer than patience allows, and a late answer changes nothing', async () => {
    const merchant = await givenTwoAccounts();
    let answerLate = () => {};
    let isLateAnswerUsed: Promise<unknown> = Promise.resolve();
    merchant.first.respond((psp) => ({
      ...psp,
      createCharge(order) {
        isLateAnswerUsed = new Promise<void>((resolve) => {
          answerLate = resolve;
        }).then(() => psp.createCharge(order));
        return isLateAnswerUsed as Promise<BankCharge>;
      },
    }));
    const { id, content } = await created(merchant);
    answerLate();
    await isLateAnswerUsed;
    // Charges of one process are opened in turn, so the late answer was used before this one's code is stored.
    await created(merchant);
    expect(await stored(merchant, id)).toMatchObject({ connectionId: merchant.second.id, brCode: content });
    const [abandoned] = await abandonedOf(merchant);
    invariant(abandoned !== undefined, 'the first account was abandoned');
    await expect
      .poll(() => at(merchant.first).psp.findCharge(abandoned.txid, 'immediate'))
      .toMatchObject({ status: 'active' });
  });

  test('is removed at the silent bank later, if that had made it', async () => {
    const merchant = await givenTwoAccounts();
    merchant.first.respond(creatingSilently);
    const { id } = await created(merchant);
    const [abandoned] = await abandonedOf(merchant);
    invariant(abandoned !== undefined, 'the first account was abandoned');
    await stand.advance(abandonmentSeconds);
    // The bank is still silent, so it is asked again later.
    expect(await removeAbandonedCharges(stand.gateway.deps)).toBeGreaterThan(0);
    expect(await abandonedOf(merchant)).toMatchObject([{ next_check_at: expect.any(Date) }]);
    merchant.first.respond((psp) => psp);
    expect(await at(merchant.first).psp.findCharge(abandoned.txid, 'immediate')).toMatchObject({
      status: 'active',
    });
    await stand.advance(61);
    await removeAbandonedCharges(stand.gateway.deps);
    expect(await at(merchant.first).psp.findCharge(abandoned.txid, 'immediate')).toMatchObject({
      status: 'removed',
    });
    expect(await abandonedOf(merchant)).toMatchObject([{ next_check_at: null }]);
    expect(await stored(merchant, id)).toMatchObject({ status: 'pending' });
    expect(await eventsOf(merchant)).toEqual([]);
  });

  test.each(['the list of its bank', 'its removal'])(
    'is credited as a charge of its own if it was paid at the silent bank, as %s shows',
    async (source) => {
      const merchant = await givenTwoAccounts();
      merchant.first.respond(creatingSilently);
      const { id, content } = await created(merchant);
      merchant.first.respond((psp) => psp);
      const [abandoned] = await abandonedOf(merchant);
      const atFirst = await at(merchant.first).psp.findCharge(abandoned?.txid ?? '', 'immediate');
      await merchant.first.bank.pay({ brCode: atFirst?.brCode });
      await merchant.second.bank.pay({ brCode: content });
      const books = async () => {
        await stand.advance(abandonmentSeconds);
        if (source === 'its removal') await removeAbandonedCharges(stand.gateway.deps);
        else await reconcilePayments(at(merchant.first));
        await reconcilePayments(at(merchant.second));
      };
      await books();
      await books();
      const { data } = await feedOf(merchant);
      expect(data).toMatchObject([
        { status: 'paid', external_id: 'pedido-7', amount: 50 },
        { id, status: 'paid', external_id: 'pedido-7', amount: 50 },
      ]);
      expect(await stored(merchant, data[0]?.id ?? '')).toMatchObject({ connectionId: merchant.first.id });
      expect(await eventsOf(merchant)).toEqual(['payment.paid', 'payment.paid']);
      const { db } = stand.gateway.deps;
      for (const own of [merchant.first, merchant.second])
        expect(await readBalances(db, merchant.id, own.id)).toMatchObject({ available: 5000, psp: -5000 });
      expect(await auditLedger(db)).toEqual([]);
    },
  );

  test('is not looked up again at a bank that still hangs, and not at all at an account that was retired', async () => {
    const merchant = await givenTwoAccounts();
    merchant.first.respond(creatingSilently);
    await created(merchant);
    let answer = () => {};
    let asked = 0;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    merchant.first.respond((psp) => ({
      ...psp,
      async findCharge() {
        asked += 1;
        await answered;
        throw new PspUnknown('no response');
      },
    }));
    const nextChecks = async () => (await abandonedOf(merchant)).map(({ next_check_at }) => next_check_at);
    await stand.advance(abandonmentSeconds);
    await removeAbandonedCharges(stand.gateway.deps);
    const leased = await nextChecks();
    await stand.advance(61);
    await removeAbandonedCharges(stand.gateway.deps);
    expect(asked).toBe(1);
    expect(await nextChecks()).toEqual(leased);
    answer();

    const { deps } = stand.gateway;
    const find = (id: number) => (id === merchant.first.id ? undefined : deps.banks.find(id));
    const withoutFirst = { ...deps, banks: { ...deps.banks, find } };
    // An account that was just activated may be unknown here for a moment, so its charges are not forgotten at once.
    await removeAbandonedCharges(withoutFirst);
    expect(await nextChecks()).toEqual([expect.any(Date)]);
    const [{ expires_at } = { expires_at: new Date() }] = await abandonedOf(merchant);
    await stand.advance((expires_at.getTime() - deps.clock.now().getTime()) / 1000 + 601);
    await removeAbandonedCharges(withoutFirst);
    expect(await nextChecks()).toEqual([null]);
  });

  test('stays at the last account, and a repeated call continues it', async () => {
    const merchant = await givenTwoAccounts();
    await merchant.first.bank.setBehaviour({ charges: 'down' });
    await merchant.second.bank.setBehaviour({ charges: 'down' });
    const refused = await request(merchant, 'repeated');
    expect(errorEnvelope.parse(refused.body).error.code).toBe('PAYMENT_PROCESSING_ERROR');
    await merchant.first.bank.setBehaviour({});
    const { id } = await created(merchant, 'repeated');
    expect(await stored(merchant, id)).toMatchObject({ connectionId: merchant.first.id });
    expect(await feedOf(merchant)).toMatchObject({ total: 1, counts: { pending: 1, error: 0 } });
  });
});

test('a bank that did not answer is asked last for a short time, and first again afterwards', async () => {
  const merchant = await givenTwoAccounts();
  let asked = 0;
  merchant.first.respond((psp) => ({
    ...psp,
    createCharge: () => {
      asked += 1;
      return Promise.reject(new PspUnknown('no response'));
    },
    findCharge: () => Promise.reject(new PspUnknown('no response')),
  }));
  await created(merchant);
  await created(merchant);
  expect(asked).toBe(1);
  expect(await abandonedOf(merchant)).toHaveLength(1);
  await stand.advance(30);
  await created(merchant);
  expect(asked).toBe(2);
});

test('a bank that answered is not asked last because the charge had ended meanwhile', async () => {
  const merchant = await givenTwoAccounts();
  let isFirst = true;
  merchant.first.respond((psp) => ({
    ...psp,
    async createCharge(order) {
      const bankCharge = await psp.createCharge(order);
      const ended = { status: 'expired', next_check_at: null };
      const end = stand.gateway.deps.db.updateTable('charges').set(ended).where('txid', '=', order.txid);
      if (isFirst) await end.execute();
      isFirst = false;
      return bankCharge;
    },
  }));
  const refused = await request(merchant);
  expect(errorEnvelope.parse(refused.body).error.code).toBe('PAYMENT_PROCESSING_ERROR');
  const { id } = await created(merchant);
  expect(await stored(merchant, id)).toMatchObject({ connectionId: merchant.first.id });
});

test('a charge that its bank refuses is not tried at another account', async () => {
  const merchant = await givenTwoAccounts();
  merchant.first.respond((psp) => ({
    ...psp,
    createCharge: () => Promise.reject(new PspRefused('the amount is invalid')),
  }));
  const refused = await request(merchant);
  expect(errorEnvelope.parse(refused.body).error.message).toContain('recusou');
  expect(await feedOf(merchant)).toMatchObject({ total: 1, counts: { error: 1 } });
  expect(await abandonedOf(merchant)).toEqual([]);
});

/** What happens at a bank when a charge is created. `died`: the process ends before it learns the outcome. */
const outcomes = ['made', 'made silently', 'not made', 'made, died', 'not made, died'] as const;
type Outcome = (typeof outcomes)[number];
class Died extends Error {}
const withOutcomes =
  (remaining: Outcome[]) =>
  (psp: Psp): Psp => ({
    ...psp,
    async createCharge(order) {
      const outcome = remaining.shift() ?? 'made';
      const bankCharge = outcome.startsWith('made') ? await psp.createCharge(order) : undefined;
      if (outcome.endsWith('died')) throw new Died();
      if (outcome === 'made' && bankCharge !== undefined) return bankCharge;
      throw new PspUnknown('no response');
    },
    async findCharge(txid) {
      if (remaining.length > 0 && remaining[0] !== 'made') throw new PspUnknown('no response');
      return psp.findCharge(txid, 'immediate');
    },
  });

const countCharges = async ({ id }: GivenMerchant) => {
  const rows = await stand.gateway.deps.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', id)
    .execute();
  return rows.length;
};

test('whatever fails between two banks, a repeated call has one charge, and only one code that can be paid', async () => {
  const merchant = await givenTwoAccounts();
  const outcomesOfBank = fc.array(fc.constantFrom(...outcomes), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(outcomesOfBank, outcomesOfBank, async (atFirst, atSecond) => {
      merchant.first.respond(withOutcomes([...atFirst]));
      merchant.second.respond(withOutcomes([...atSecond]));
      const before = await countCharges(merchant);
      const key = randomUUID();
      let answer = await request(merchant, key);
      for (let tries = 0; answer.status !== 201 && tries < 12; tries += 1) {
        // The lease of a call that died has ended.
        await stand.advance(61);
        answer = await request(merchant, key);
      }
      const { id, content } = parseSuccess(createdPayment, answer);
      expect(parseSuccess(createdPayment, await request(merchant, key)).id).toBe(id);
      merchant.first.respond((psp) => psp);
      merchant.second.respond((psp) => psp);
      await stand.advance(abandonmentSeconds);
      await removeAbandonedCharges(stand.gateway.deps);
      await expireCharges(stand.gateway.deps);
      const charge = await stored(merchant, id);
      expect(charge).toMatchObject({ status: 'pending', brCode: content });
      expect(await countCharges(merchant)).toBe(before + 1);
      const txids = (await abandonedOf(merchant)).filter((row) => row.charge_id === id);
      for (const { txid, connection_id } of txids) {
        const left = await atBank(stand.gateway.deps, connection_id).psp.findCharge(txid, 'immediate');
        expect(left?.status ?? 'removed').toBe('removed');
      }
      const own = charge.connectionId === merchant.first.id ? merchant.first : merchant.second;
      expect(await at(own).psp.findCharge(charge.txid, 'immediate')).toMatchObject({
        status: 'active',
        brCode: content,
      });
    }),
    { numRuns: 25 },
  );
  expect(await eventsOf(merchant)).not.toContain('payment.error');
});
