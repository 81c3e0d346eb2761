import {
  createdPayment,
  type ErrorCode,
  errorEnvelope,
  type HeldPix,
  heldPix,
  heldPixPage,
  type PayerRules,
  paymentStatus,
} from '@jangada/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { failOnRow } from '../../test/fail-on-row.ts';
import type { ApiAnswer } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, parseSuccess } from '../../test/given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { watchBalance } from '../bank-watch/index.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { auditLedger, PLATFORM, readBalances } from '../ledger/index.ts';
import { settleReceived } from '../payments/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { type AtBank, atBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { giveBackByRule, sendRefunds } from './index.ts';

const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 5);
const payer = { name: 'Francisco da Silva', document: '529.982.247-25' };
const noRules: PayerRules = { other_payer: null, late: null, doubled: null };

let stand: OwnBanksStand;
let house: GivenMerchant;
let direct: GivenMerchant & { readonly own: readonly OwnBank[] };

beforeAll(async () => {
  stand = await startOwnBanks();
  const taxes = { pix: { in: 1, out: 0, fixIn: 0.5, fixOut: 0 }, crypto: 0 };
  const account = { taxes: { ...taxes, reserve: { enabled: true, percentage: 10, liberationTime: 30 } } };
  house = await givenMerchant(stand.gateway, { admin: stand.admin, account });
  direct = await stand.givenDirectMerchant(1);
});
afterAll(async () => {
  const { db } = stand.gateway.deps;
  expect(await countDeadlocks(db)).toBe(0);
  expect(await auditLedger(db)).toEqual([]);
  await stand.stop();
});

type Place = {
  readonly merchant: GivenMerchant;
  readonly at: AtBank;
  readonly bank: OwnBank['bank'];
};
function placeOf(kind: 'house' | 'own'): Place {
  const { deps, bank } = stand.gateway;
  if (kind === 'house') return { merchant: house, at: atBank(deps, HOUSE_CONNECTION), bank };
  const [own] = direct.own;
  invariant(own !== undefined, 'one account');
  return { merchant: direct, at: atBank(deps, own.id), bank: own.bank };
}

const setRules = async ({ merchant }: Place, rules: Partial<PayerRules>) => {
  const answer = await stand.gateway.api('PUT', '/payer-rules', { ...noRules, ...rules }, merchant);
  expect(answer.status).toBe(200);
};
async function charge({ merchant }: Place, fields: Readonly<Record<string, unknown>> = {}) {
  const body = { amount: 100, image: false, payer, ...fields };
  return parseSuccess(createdPayment, await stand.gateway.api('POST', '/pix/new', body, merchant));
}
/** Pays at the bank, as Joana, and lets the gateway find the Pix in the bank's list. */
async function pay({ at, bank }: Place, payment: Readonly<Record<string, unknown>>): Promise<string> {
  const endToEndId = await bank.pay(payment);
  await stand.advance(5);
  await reconcilePayments(at);
  return endToEndId;
}
const call = (place: Place, method: string, path: string) =>
  stand.gateway.api(method, path, undefined, { apiKey: place.merchant.apiKey });
async function listHeld(place: Place, state: 'open' | 'all' = 'all'): Promise<HeldPix[]> {
  return parseSuccess(heldPixPage, await call(place, 'GET', `/held-pix?state=${state}`)).data;
}
async function heldOf(place: Place, endToEndId: string): Promise<HeldPix> {
  const found = (await listHeld(place)).find(({ end_to_end_id: id }) => id === endToEndId);
  if (found === undefined) throw new Error(`${endToEndId} is not held`);
  return found;
}
const decide = (place: Place, { id }: HeldPix, act: 'accept' | 'give-back') =>
  call(place, 'POST', `/held-pix/${id}/${act}`);
const statusOf = async (place: Place, id: string) =>
  parseSuccess(paymentStatus, await call(place, 'GET', `/pix/status/${id}`));
const codeOf = (answer: ApiAnswer): ErrorCode | undefined =>
  errorEnvelope.safeParse(answer.body).data?.error.code as ErrorCode | undefined;
const eventsOf = async ({ at, merchant }: Place, type: string) => {
  const rows = await at.db
    .selectFrom('events')
    .select('body')
    .where('merchant_id', '=', merchant.id)
    .where('type', '=', type)
    .orderBy('created_at')
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as unknown);
};
/** What the bank returned of a Pix, in cents, once the gateway has sent its refunds. */
async function returnedCents({ at }: Place, endToEndId: string): Promise<number[]> {
  for (let round = 0; round < 3; round += 1) {
    // The operator's account sends nothing while its balance is unknown.
    await watchBalance(stand.gateway.deps);
    await sendRefunds(at);
    await stand.advance(60);
  }
  const pix = await at.psp.findReceivedPix(endToEndId);
  return (pix?.returns ?? []).map(({ amountCents }) => amountCents);
}

describe.each(['house', 'own'] as const)('at the account of %s', (kind) => {
  const place = () => placeOf(kind);
  const readAvailable = async () => {
    const { merchant, at } = place();
    return (await readBalances(at.db, merchant.id, at.connection.id)).available;
  };

  test('another payer, late money and no rule: it is credited as ever', async () => {
    await setRules(place(), {});
    const created = await charge(place());
    const before = await readAvailable();
    await pay(place(), { brCode: created.content });
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'paid' });
    expect(await readAvailable()).toBeGreaterThan(before);
    expect(await listHeld(place(), 'open')).toEqual([]);
  });

  test('a Pix of another payer is held by a rule of the account, told, and pays the charge once it is accepted', async () => {
    await setRules(place(), { other_payer: 'hold' });
    const created = await charge(place(), { external_id: `pedido-${kind}` });
    const before = await readAvailable();
    const endToEndId = await pay(place(), { brCode: created.content });
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'pending' });
    expect(await readAvailable()).toBe(before);
    const held = await heldOf(place(), endToEndId);
    expect(held).toMatchObject({
      why: 'other-payer',
      state: 'held',
      amount: 100,
      payment_id: created.id,
      external_id: `pedido-${kind}`,
      payer: { name: 'Joana Teste', document: '***.456.789-**' },
    });
    const events = await eventsOf(place(), 'pix.held');
    expect(events.at(-1)).toMatchObject({ id: held.id, reason: 'pago por outra pessoa' });

    const accepted = parseSuccess(heldPix, await decide(place(), held, 'accept'));
    expect(accepted).toMatchObject({ state: 'accepted', credited_payment_id: created.id });
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'paid', end_to_end_id: endToEndId });
    // At the operator's own account R$ 1,50 of fee and 10 % of the rest are kept back.
    expect((await readAvailable()) - before).toBe(kind === 'house' ? 8865 : 10_000);
    // Idempotent, and the other decision comes too late.
    expect(parseSuccess(heldPix, await decide(place(), held, 'accept'))).toEqual(accepted);
    expect(codeOf(await decide(place(), held, 'give-back'))).toBe('SUSPENSE_SETTLED');
  });

  test('a Pix of another payer is given back whole by a rule of the charge, once, without a fee, and told', async () => {
    await setRules(place(), {});
    const created = await charge(place(), { payer_rules: { other_payer: 'give_back' } });
    const { merchant, at } = place();
    const before = await readBalances(at.db, merchant.id);
    const availableBefore = await readAvailable();
    const endToEndId = await pay(place(), { brCode: created.content });
    expect(await heldOf(place(), endToEndId)).toMatchObject({ state: 'returning' });
    await Promise.all(Array.from({ length: 4 }, () => giveBackByRule(stand.gateway.deps)));
    expect(await returnedCents(place(), endToEndId)).toEqual([10_000]);
    expect(await heldOf(place(), endToEndId)).toMatchObject({ state: 'returned' });
    expect(await readAvailable()).toBe(availableBefore);
    const { fees, fees_due } = await readBalances(at.db, merchant.id);
    expect({ fees, fees_due }).toEqual({ fees: before.fees, fees_due: before.fees_due });
    const events = await eventsOf(place(), 'pix.given_back');
    expect(events).toMatchObject([{ end_to_end_id: endToEndId, amount: 100 }]);
    const refund = await at.db
      .selectFrom('refunds')
      .select('reason')
      .where('end_to_end_id', '=', endToEndId)
      .executeTakeFirst();
    expect(refund?.reason).toBe('Devolvido: pago por outra pessoa');
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'pending' });
  });

  test('a Pix that cannot be given back does not hold up the others, and has its turn again', async () => {
    await setRules(place(), { other_payer: 'give_back' });
    const endToEndIds: string[] = [];
    for (let count = 0; count < 2; count += 1)
      endToEndIds.push(await pay(place(), { brCode: (await charge(place())).content }));
    const [failing = '', next = ''] = endToEndIds;
    const endFailure = await failOnRow(stand.gateway, 'refunds', `new.end_to_end_id = '${failing}'`);
    await giveBackByRule(stand.gateway.deps);
    await endFailure();
    expect(await returnedCents(place(), next)).toEqual([10_000]);
    expect(await heldOf(place(), failing)).toMatchObject({ state: 'returning' });
    await stand.advance(300);
    await giveBackByRule(stand.gateway.deps);
    expect(await returnedCents(place(), failing)).toEqual([10_000]);
  });

  test('a Pix from the person whom the charge is for is credited whatever the rule', async () => {
    await setRules(place(), { other_payer: 'give_back' });
    const created = await charge(place(), { payer: { name: 'Joana Teste', document: '123.456.789-09' } });
    await pay(place(), { brCode: created.content });
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'paid' });
  });

  test('a second payment is a payment of its own, held, or given back, as the rule says', async () => {
    await setRules(place(), {});
    const created = await charge(place(), { external_id: `dobro-${kind}` });
    await pay(place(), { brCode: created.content });
    const { txid } = await place()
      .at.db.selectFrom('charges')
      .select('txid')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow();
    const again = { key: place().at.connection.pixKey, txid, amount: 100 };

    await setRules(place(), { doubled: 'accept' });
    const before = await readAvailable();
    await pay(place(), again);
    expect((await readAvailable()) - before).toBe(kind === 'house' ? 8865 : 10_000);
    const list = await call(place(), 'GET', `/pix?external_id=dobro-${kind}`);
    expect(list.body).toMatchObject({ data: [{ status: 'paid' }, { status: 'paid' }] });

    await setRules(place(), { doubled: 'hold' });
    const held = await heldOf(place(), await pay(place(), again));
    expect(held).toMatchObject({ why: 'second-payment', state: 'held' });
    const accepted = parseSuccess(heldPix, await decide(place(), held, 'accept'));
    expect(accepted.credited_payment_id).not.toBe(created.id);

    await setRules(place(), { doubled: 'give_back' });
    const endToEndId = await pay(place(), again);
    await giveBackByRule(stand.gateway.deps);
    expect(await returnedCents(place(), endToEndId)).toEqual([10_000]);
  });

  test('a late Pix is held, and of 32 decisions at once exactly one is carried out', async () => {
    await setRules(place(), { late: 'hold' });
    const created = await charge(place());
    const endToEndId = await pay(place(), { brCode: created.content });
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'paid' });
    const late = await charge(place(), { expires_in: 60 });
    const { at, merchant } = place();
    const { txid } = await at.db
      .selectFrom('charges')
      .select('txid')
      .where('id', '=', late.id)
      .executeTakeFirstOrThrow();
    await stand.advance(120);
    const lateId = await pay(place(), { key: at.connection.pixKey, txid, amount: 100 });
    expect(lateId).not.toBe(endToEndId);
    const held = await heldOf(place(), lateId);
    expect(held).toMatchObject({ why: 'late', state: 'held' });
    const before = await readBalances(at.db, merchant.id, at.connection.id);
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) => decide(place(), held, n % 2 === 0 ? 'accept' : 'give-back')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { state } = await heldOf(place(), lateId);
    const returned = await returnedCents(place(), lateId);
    const after = await readBalances(at.db, merchant.id, at.connection.id);
    if (state === 'accepted')
      expect({ returned, isMore: after.available > before.available }).toEqual({
        returned: [],
        isMore: true,
      });
    else
      expect({ returned, available: after.available }).toEqual({
        returned: [10_000],
        available: before.available,
      });
  });

  test('a due charge that is paid a day after its last one, as local holidays allow, is not late', async () => {
    await setRules(place(), { late: 'give_back' });
    const { at } = place();
    const dueDate = calendarDayOf(at.clock.now());
    const created = await charge(place(), { due_date: dueDate, valid_after_due: 0 });
    const { txid, expires_at: end } = await at.db
      .selectFrom('charges')
      .select(['txid', 'expires_at'])
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow();
    const secondsToEnd = Math.ceil((end.getTime() - at.clock.now().getTime()) / 1000);
    await stand.advance(secondsToEnd + 6 * 3600);
    await pay(place(), { key: at.connection.pixKey, txid, amount: 100 });
    expect(await statusOf(place(), created.id)).toMatchObject({ status: 'paid' });
  });

  test('however often a Pix is told while its rule changes, it is credited, held or given back once', async () => {
    const ruleOf = fc.constantFrom(null, 'accept', 'hold', 'give_back');
    await fc.assert(
      fc.asyncProperty(
        fc.array(ruleOf, { minLength: 2, maxLength: 5 }),
        fc.array(fc.nat({ max: 2 }), { minLength: 3, maxLength: 12 }),
        async (rules, told) => {
          const { at, merchant, bank } = place();
          await setRules(place(), { other_payer: rules[0] ?? null });
          const created = await Promise.all([charge(place()), charge(place())]);
          const ids = await Promise.all(
            [created[0], created[0], created[1]].map(({ content, id }, index) =>
              index === 1
                ? at.db
                    .selectFrom('charges')
                    .select('txid')
                    .where('id', '=', id)
                    .executeTakeFirstOrThrow()
                    .then(({ txid }) => bank.pay({ key: at.connection.pixKey, txid, amount: 100 }))
                : bank.pay({ brCode: content }),
            ),
          );
          const pix = await Promise.all(
            ids.map(async (id) => {
              const found = await at.psp.findReceivedPix(id);
              invariant(found !== undefined, 'it was just paid');
              return found;
            }),
          );
          const tell = (index: number) => {
            const one = pix[index];
            invariant(one !== undefined, 'three Pix');
            return inTransaction(at, (tx) => settleReceived(tx, [one], at.connection));
          };
          const changes = rules.slice(1);
          await Promise.all([
            ...told.map((index) => tell(index)),
            ...changes.map((rule) => setRules(place(), { other_payer: rule, doubled: rule })),
            giveBackByRule(at),
            ...told.map((index) => tell(index)),
          ]);
          for (const index of [0, 1, 2]) await tell(index);
          await giveBackByRule(at);
          const rows = await at.db
            .selectFrom('received_pix')
            .select(['end_to_end_id', 'outcome', 'charge_id'])
            .where('end_to_end_id', 'in', ids)
            .execute();
          const held = await listHeld(place());
          for (const id of ids) {
            const ofPix = rows.filter((row) => row.end_to_end_id === id);
            expect(ofPix).toHaveLength(1);
            const heldOnes = held.filter((one) => one.end_to_end_id === id);
            const isCredited = ofPix[0]?.outcome === 'credited';
            // A second payment at the operator's account, met without a rule, is the operator's to decide.
            const isOperators = ofPix[0]?.outcome === 'suspense' && heldOnes.length === 0 && kind === 'house';
            expect(heldOnes).toHaveLength(isCredited || isOperators ? 0 : 1);
          }
          expect(merchant.id).not.toBe(PLATFORM);
          expect(await auditLedger(at.db)).toEqual([]);
        },
      ),
      { numRuns: propertyRuns },
    );
  });
});

describe('at an account of the merchant’s own, where nobody else would tell of it', () => {
  const place = () => placeOf('own');
  const payWrongly = async () => {
    await setRules(place(), {});
    const created = await charge(place());
    const { at } = place();
    const { txid } = await at.db
      .selectFrom('charges')
      .select('txid')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow();
    return pay(place(), { key: at.connection.pixKey, txid, amount: 70 });
  };

  test('a Pix that names a charge but has another amount is told to the merchant, who may accept it', async () => {
    const held = await heldOf(place(), await payWrongly());
    expect(held).toMatchObject({ why: 'wrong-amount', state: 'held', amount: 70 });
    const { at, merchant } = place();
    const notification = await at.db
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', merchant.id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(notification?.body).toContain('valor diferente do cobrado');
    const accepted = parseSuccess(heldPix, await decide(place(), held, 'accept'));
    const credited = await statusOf(place(), accepted.credited_payment_id ?? '');
    expect(credited).toMatchObject({ status: 'paid', amount: 70 });
  });

  test('one that names no charge is the merchant’s own business', async () => {
    const before = (await listHeld(place())).length;
    await pay(place(), { key: place().at.connection.pixKey, amount: 12 });
    expect(await listHeld(place())).toHaveLength(before);
  });
});

test('the audit log says who changed the rules, and how they were before', async () => {
  const place = placeOf('house');
  await setRules(place, { late: 'hold' });
  await setRules(place, { late: 'give_back' });
  const newest = await place.at.db
    .selectFrom('audit_log')
    .select(['actor_id', 'before', 'after'])
    .where('subject_id', '=', place.merchant.id)
    .where('action', '=', 'payer rules changed')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  expect(newest).toMatchObject({ before: { late: 'hold' }, after: { late: 'give_back' } });
  await setRules(place, {});
});
