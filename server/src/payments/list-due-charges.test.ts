import { createdPayment, listDueCharges, type QueryInput, transactionFeed } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenMember } from '../../test/given-member.ts';
import { daysAfter } from '../calendar-day.ts';
import { atHouse } from '../psp/index.ts';
import { reconcilePayments } from './reconcile-payments.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
/** A session of the merchant's that begins on the Monday. */
let session: string;
/** A Monday without a holiday in the weeks around it. */
const monday = '2027-01-18';
const day = (offset: number) => daysAfter(monday, offset);
const ana = { name: 'Ana Conceição', document: '529.982.247-25' };
const company = { name: 'Mercado São João Ltda', document: '11.222.333/0001-81' };

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
  await advanceTo(day(-10));
  // Due five days before the Monday, and paid late.
  const paid = await charge({ due_date: day(-5), external_id: 'paga' });
  await charge({ due_date: day(-4), payer: company, external_id: 'vencida' });
  // On the weekend before the Monday, so that it falls due on it.
  await charge({ due_date: day(-1), external_id: 'hoje' });
  await charge({ due_date: day(3), amount: 60, external_id: 'a-vencer-1' });
  await charge({ due_date: day(3), amount: 70, external_id: 'a-vencer-2' });
  const cancelled = await charge({ due_date: day(4), external_id: 'cancelada' });
  await gateway.api('POST', `/pix/${cancelled.id}/cancel`, undefined, { apiKey: merchant.apiKey });
  await charge({ due_date: day(90), external_id: 'longe' });
  await advanceTo(monday);
  session = (await givenMember(gateway, merchant.id, 'operator')).token;
  await charge({ due_date: undefined, external_id: 'sem-vencimento' });
  await gateway.api('POST', '/pix/new', { amount: 10, image: false }, merchant);
  await gateway.bank.pay({ brCode: paid.content });
  await gateway.advance(5);
  await reconcilePayments(atHouse(gateway.deps));
});
afterAll(() => gateway.stop());

async function advanceTo(to: string): Promise<void> {
  const noon = new Date(`${to}T15:00:00Z`).getTime();
  await gateway.advance(Math.max(0, Math.ceil((noon - gateway.deps.clock.now().getTime()) / 1000)));
}

async function charge(fields: Readonly<Record<string, unknown>>) {
  const body = {
    amount: 100,
    payer: ana,
    image: false,
    ...(fields['due_date'] === undefined ? {} : { fine: { type: 'percent', value: 2 } }),
    ...fields,
  };
  return parseSuccess(createdPayment, await gateway.api('POST', '/pix/new', body, merchant));
}

async function list(query: QueryInput<typeof listDueCharges> = {}, token = session) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const answer = await gateway.api('GET', `/authed/due-charges?${search}`, undefined, { token });
  return parseSuccess(listDueCharges.response, answer);
}
const idsOf = ({ data }: { readonly data: readonly { readonly external_id: string | null }[] }) =>
  data.map(({ external_id }) => external_id);

describe('the list of charges with a due date', () => {
  test.each([
    [undefined, ['cancelada', 'a-vencer-2', 'a-vencer-1', 'hoje', 'vencida', 'paga']],
    ['open', ['vencida', 'hoje', 'a-vencer-1', 'a-vencer-2']],
    ['upcoming', ['a-vencer-1', 'a-vencer-2']],
    ['today', ['hoje']],
    ['overdue', ['vencida']],
    ['paid', ['paga']],
    ['ended', ['cancelada']],
    ['undated', ['sem-vencimento']],
  ] as const)('shows, of the view %s, those and no others', async (view, expected) => {
    expect(idsOf(await list(view === undefined ? {} : { view }))).toEqual(expected);
  });

  test('says what is owed today, and where each charge stands', async () => {
    const { data, from, to } = await list();
    expect([from, to]).toEqual([day(-30), day(30)]);
    expect(
      data.map(({ external_id, due_state, amount, amount_today }) => [
        external_id,
        due_state,
        amount,
        amount_today,
      ]),
    ).toEqual([
      ['cancelada', null, 100, null],
      ['a-vencer-2', 'upcoming', 70, 70],
      ['a-vencer-1', 'upcoming', 60, 60],
      ['hoje', 'today', 100, 100],
      ['vencida', 'overdue', 100, 102],
      ['paga', null, 102, null],
    ]);
  });

  test('adds up what is due, overdue and paid in the period, whatever the view', async () => {
    const totals = {
      due: { count: 3, amount: 230 },
      overdue: { count: 1, amount: 100 },
      paid: { count: 1, amount: 102 },
    };
    expect((await list()).totals).toEqual(totals);
    expect((await list({ view: 'paid' })).totals).toEqual(totals);
    expect((await list({ from: day(3), to: day(3) })).totals).toMatchObject({
      due: { count: 2, amount: 130 },
      paid: { count: 0, amount: 0 },
    });
    expect((await list({ view: 'undated' })).totals).toMatchObject({ due: { count: 1, amount: 100 } });
  });

  test('is narrowed by the due date, also to one far away', async () => {
    expect(idsOf(await list({ from: day(80), to: day(100) }))).toEqual(['longe']);
    expect(idsOf(await list({ from: day(4) }))).toEqual(['longe', 'cancelada']);
    expect(idsOf(await list({ to: day(-5) }))).toEqual(['paga']);
  });

  test('refuses more than a year, and a cursor of another list', async () => {
    const call = (query: string) =>
      gateway.api('GET', `/authed/due-charges?${query}`, undefined, { token: session });
    expect(await call(`from=${day(0)}&to=${day(366)}`)).toMatchObject({ status: 400 });
    expect((await call(`from=${day(0)}&to=${day(365)}`)).status).toBe(200);
    expect(await call('before=abc')).toMatchObject({ status: 400 });
  });

  test.each([
    ['a name without its accents', 'conceicao', ['hoje']],
    ['a name in capitals', 'SÃO JOÃO', ['vencida']],
    ['a document', '11222333000181', ['vencida']],
    ['a document with punctuation', '11.222.333/0001-81', ['vencida']],
    ['an external id', 'vencida', ['vencida']],
    ['a part of a document, which finds nothing', '11222333', []],
    ['a wildcard, which finds nothing', '%', []],
  ] as const)('finds by %s', async (_, search, expected) => {
    const found = idsOf(await list({ view: 'open', search, from: day(-4), to: day(-1) }));
    expect(found).toEqual(expected);
  });

  test('finds a charge without a due date by its payer', async () => {
    expect(idsOf(await list({ view: 'undated', search: 'ana c' }))).toEqual(['sem-vencimento']);
    expect(idsOf(await list({ view: 'undated', search: 'joão' }))).toEqual([]);
  });

  test.each([undefined, 'open', 'undated'] as const)(
    'of the view %s is the same page by page',
    async (view) => {
      const base = { from: day(-30), to: day(100), ...(view && { view }) };
      const whole = idsOf(await list(base));
      const paged: (string | null)[] = [];
      for (let before: string | undefined; ; ) {
        const page = await list({ ...base, limit: 1, ...(before && { before }) });
        paged.push(...idsOf(page));
        if (page.next === null) break;
        before = page.next;
      }
      expect(paged).toEqual(whole);
    },
  );

  test('shows nothing of another merchant', async () => {
    const other = await givenMerchant(gateway);
    expect(await list({ from: day(-30), to: day(100) }, other.token)).toMatchObject({
      data: [],
      totals: { due: { count: 0 }, paid: { count: 0 } },
    });
  });

  test('shows documents in full to whoever charges and to an accountant, in the feed too', async () => {
    const accountant = await givenMember(gateway, merchant.id, 'accountant');
    for (const [token, document] of [
      [session, '529.982.247-25'],
      [accountant.token, '529.982.247-25'],
    ] as const) {
      const [first] = (await list({ view: 'today' }, token)).data;
      expect(first?.billed_to).toEqual({ ...ana, document });
      const answer = await gateway.api('GET', '/authed/feed/transactions?search=hoje', undefined, { token });
      const feed = parseSuccess(transactionFeed.response, answer);
      expect(feed.data[0]?.billed_to).toEqual({ ...ana, document });
    }
  });
});
