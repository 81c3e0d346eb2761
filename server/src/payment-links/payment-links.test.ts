import { fileURLToPath } from 'node:url';
import {
  errorEnvelope,
  getPaymentStatus,
  listPaymentLinks,
  listPayments,
  type PaymentLink,
  paymentLink,
  paymentTimeline,
} from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildStale } from '../../../tools/build.ts';
import { atOnce } from '../../test/at-once.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, type GivenMerchant, givenAdmin, givenMerchant, read } from '../../test/given.ts';
import { randomAddress } from '../../test/people.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { MAX_ROWS_SCANNED } from '../list-cursor.ts';
import { paymentLoops, settleReceived } from '../payments/index.ts';
import { randomText } from '../random-text.ts';

let gateway: TestGateway;
/** Another process of the same gateway. */
let other: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
beforeAll(async () => {
  buildStale();
  const pages = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  const options = { pages, env: { TRUST_PROXY: 'loopback' } };
  gateway = await startTestGateway(options);
  other = await startTestGateway({ ...options, beside: gateway, work: false });
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
});
afterAll(async () => {
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
  await other.stop();
  await gateway.stop();
});

const ask = (method: string, path: string, body?: unknown, { apiKey } = merchant) =>
  gateway.api(method, path, body, { apiKey });
const codeOf = ({ body }: ApiAnswer) => errorEnvelope.parse(body).error.code;
const givenLink = async (terms: Readonly<Record<string, unknown>> = {}, owner = merchant) =>
  read(paymentLink, await ask('POST', '/payment-links', { title: 'Camiseta', amount: 50, ...terms }, owner));
const readLink = async ({ id }: Pick<PaymentLink, 'id'>) =>
  read(paymentLink, await ask('GET', `/payment-links/${id}`));
const change = (link: PaymentLink, terms: Readonly<Record<string, unknown>>) =>
  ask('PUT', `/payment-links/${link.id}`, {
    title: link.title,
    amount: link.amount,
    max_payments: link.max_payments,
    active: link.active,
    version: link.version,
    ...terms,
  });

/** The fields of the link page's form. */
const newToken = (version = 1) => `${version}-${randomText(22)}`;
type Form = { readonly token?: string; readonly amount?: string };

/** Submits a link page's form, by default from its own network; returns the txid of the redirect. */
async function press(
  { url }: Pick<PaymentLink, 'url'>,
  form: Form = {},
  from = randomAddress(),
  at = gateway,
): Promise<{ status: number; txid: string | undefined }> {
  const answer = await fetch(at.url + new URL(url).pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams({ token: newToken(), ...form }),
  });
  await answer.arrayBuffer();
  const location = answer.headers.get('location');
  return { status: answer.status, txid: /^\/pagar\/(\w{32})$/.exec(location ?? '')?.[1] };
}

async function pressed(link: Pick<PaymentLink, 'url'>, form: Form = {}): Promise<string> {
  const { status, txid } = await press(link, form);
  if (txid === undefined) throw new Error(`The link answered ${status}`);
  return txid;
}

const chargeOf = (txid: string) =>
  gateway.deps.db
    .selectFrom('charges')
    .select(['id', 'status', 'amount_cents', 'br_code'])
    .where('txid', '=', txid)
    .executeTakeFirstOrThrow();
const statusOf = async (txid: string) =>
  read(getPaymentStatus.response, await ask('GET', `/pix/status/${(await chargeOf(txid)).id}`));
const chargesOf = async ({ id }: Pick<PaymentLink, 'id'>) => {
  const { db } = gateway.deps;
  return await db.selectFrom('charge_options').select('charge_id').where('link_id', '=', id).execute();
};

/** Pays a code and books it, independently of background work. */
async function pay(txid: string): Promise<void> {
  const { deps, bank } = gateway;
  const endToEndId = await bank.pay({ brCode: (await chargeOf(txid)).br_code, force: true });
  const pix = await deps.psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error('The bank does not know what was paid.');
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.config.pixKey));
}

const visit = async ({ url }: Pick<PaymentLink, 'url'>) =>
  (await fetch(gateway.url + new URL(url).pathname)).status;

describe('a payment link', () => {
  test('is stored as requested, listed newest first, filtered by status, and changed only from its latest version', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const terms = {
      title: 'Rifa',
      description: 'Um número por pagamento',
      amount: null,
      max_payments: 3,
      ends_at: '2090-01-01T00:00:00.000Z',
      success_url: 'https://loja.example/obrigado',
    };
    const first = await givenLink(terms, owner);
    expect(first).toMatchObject({ ...terms, active: true, state: 'active', payments: 0, version: 1 });
    expect(first.url).toMatch(/\/link\/\w{16}$/);
    const second = await givenLink({}, owner);
    const list = async (query: string) =>
      read(listPaymentLinks.response, await ask('GET', `/payment-links?${query}`, undefined, owner));
    const page = await list('limit=1');
    expect(page.data).toEqual([second]);
    expect(await list(`limit=1&before=${page.next}`)).toEqual({ data: [first], next: null });

    const wanted = { title: 'Rifa da escola', active: false, version: 1 };
    const changed = await ask('PUT', `/payment-links/${first.id}`, wanted, owner);
    expect(read(paymentLink, changed)).toMatchObject({
      title: 'Rifa da escola',
      description: null,
      max_payments: null,
      state: 'off',
      version: 2,
    });
    expect(codeOf(await ask('PUT', `/payment-links/${first.id}`, wanted, owner))).toBe('STALE_VERSION');
    expect((await list('status=active')).data.map(({ id }) => id)).toEqual([second.id]);
    expect((await list('status=ended')).data.map(({ id }) => id)).toEqual([first.id]);
    expect(codeOf(await ask('GET', '/payment-links?before=nada'))).toBe('INVALID_QUERY');
  });

  test('is found by status in batches, wherever it is', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const [wanted] = [await givenLink({}, owner), await givenLink({}, owner)];
    await sql`
      insert into payment_links (merchant_id, id, slug, title, active, created_at, updated_at)
      select merchant_id, gen_random_uuid(), replace(gen_random_uuid()::text, '-', ''), 'Encerrado', false, at, at
      from payment_links cross join lateral (
        select created_at + n * interval '1 minute' as at from generate_series(1, ${MAX_ROWS_SCANNED - 1}) n) made
      where merchant_id = ${owner.id} and id = ${wanted.id}
    `.execute(gateway.deps.db);
    const list = async (query: string) =>
      read(listPaymentLinks.response, await ask('GET', `/payment-links?${query}`, undefined, owner));
    const first = await list('status=active&limit=5');
    expect(first.data).toHaveLength(1);
    const second = await list(`status=active&limit=5&before=${first.next}`);
    expect(second).toMatchObject({ data: [{ id: wanted.id }], next: null });
    expect((await list('status=ended&limit=5')).data).toHaveLength(5);
  });

  test.each([
    [{ amount: 1.49 }, 'AMOUNT_TOO_SMALL'],
    [{ amount: 10.001 }, 'INVALID_BODY'],
    [{ amount: 999_999 }, 'AMOUNT_TOO_LARGE'],
    [{ ends_at: '2020-01-01T00:00:00Z' }, 'LINK_END_INVALID'],
    [{ ends_at: 'amanhã' }, 'INVALID_BODY'],
    [{ success_url: 'http://loja.example' }, 'INVALID_SUCCESS_URL'],
    [{ max_payments: 0 }, 'INVALID_BODY'],
    [{ title: ' ' }, 'INVALID_BODY'],
    [{ description: 'x'.repeat(281) }, 'INVALID_BODY'],
  ])('with %j is refused', async (terms, code) => {
    expect(codeOf(await ask('POST', '/payment-links', { title: 'Camiseta', ...terms }))).toBe(code);
  });

  test('that has ended can be renamed, but not be given another end in the past', async () => {
    const link = await givenLink({
      ends_at: new Date(gateway.deps.clock.now().getTime() + 1000).toISOString(),
    });
    await gateway.advance(2);
    expect(await readLink(link)).toMatchObject({ state: 'ended' });
    expect((await change(link, { title: 'Outra', ends_at: link.ends_at })).status).toBe(200);
    const past = { version: 2, ends_at: '2020-01-01T00:00:00Z' };
    expect(codeOf(await change(link, past))).toBe('LINK_END_INVALID');
    expect(await visit(link)).toBe(410);
    expect((await press(link)).status).toBe(410);
  });

  test('creates a charge of thirty minutes with the link’s id, and counts its payments', async () => {
    const link = await givenLink({ success_url: 'https://loja.example/obrigado' });
    const txid = await pressed(link);
    const status = await statusOf(txid);
    expect(status).toMatchObject({
      status: 'pending',
      amount: 50,
      description: 'Camiseta',
      success_url: 'https://loja.example/obrigado',
      payment_link_id: link.id,
    });
    expect(Date.parse(status.expires_at) - Date.parse(status.created_at)).toBe(1_800_000);
    const timeline = await ask('GET', `/pix/${status.id}/timeline`);
    expect(JSON.stringify(read(paymentTimeline.response, timeline))).toContain('em um link de pagamento');
    await pay(txid);
    expect(await statusOf(txid)).toMatchObject({ status: 'paid' });
    expect(await readLink(link)).toMatchObject({ payments: 1, received: 50, version: 1 });
  });

  test.each([
    ['1.250,00', 125_000],
    ['R$ 86,4', 8640],
    ['12', 1200],
    ['1,50', 150],
  ])('accepts %s as a payer’s amount', async (amount, cents) => {
    const link = await givenLink({ amount: null });
    expect(await chargeOf(await pressed(link, { amount }))).toMatchObject({ amount_cents: cents });
  });

  test.each(['', 'dez', '1,499', '-5', '1,49', '15.000,01', '1e3'])(
    'explains what is wrong with %j, and creates no charge',
    async (amount) => {
      const link = await givenLink({ amount: null });
      expect(await press(link, { amount })).toEqual({ status: 400, txid: undefined });
      expect(await chargesOf(link)).toEqual([]);
    },
  );

  test('lets the payer correct a wrong amount', async () => {
    const { url } = await givenLink({ amount: null });
    const sent = { method: 'POST', body: new URLSearchParams({ token: newToken(), amount: 'dez' }) };
    const amountField = async (init?: RequestInit) => {
      const page = await (await fetch(gateway.url + new URL(url).pathname, init)).text();
      return /<input[^>]* id="valor"[^>]*>/.exec(page)?.[0] ?? '';
    };
    expect(await amountField()).not.toContain('autofocus');
    expect(await amountField(sent)).toMatch(/value="dez".*autofocus|autofocus.*value="dez"/);
  });

  test('uses its own amount, whatever the form contains', async () => {
    expect(await chargeOf(await pressed(await givenLink(), { amount: '0,01' }))).toMatchObject({
      amount_cents: 5000,
    });
  });

  test('that is unknown or disabled shows a page that says so, and creates no charge', async () => {
    const unknown = { url: 'http://gateway/link/0123456789abcdef' };
    expect([await visit(unknown), (await press(unknown)).status]).toEqual([404, 404]);
    expect(await visit({ url: 'http://gateway/link/x' })).toBe(404);
    const link = await givenLink();
    await change(link, { active: false });
    expect([await visit(link), (await press(link)).status]).toEqual([410, 410]);
    expect(await chargesOf(link)).toEqual([]);
  });

  test('of a merchant who may not receive creates no charge', async () => {
    const frozen = await givenMerchant(gateway, { admin });
    const link = await givenLink({}, frozen);
    await gateway.api(
      'POST',
      `/admin/users/${frozen.id}/freeze`,
      { reason: 'verificação' },
      { token: admin.token },
    );
    expect([await visit(link), (await press(link)).status]).toEqual([503, 503]);
    expect(await chargesOf(link)).toEqual([]);
  });

  test('changed while its page was open is shown again, and charges no price that the payer has not seen', async () => {
    const link = await givenLink();
    const html = await (await fetch(gateway.url + new URL(link.url).pathname)).text();
    const token = /name="token"[^>]* value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(token).toMatch(/^1-\w{22}$/);
    expect((await change(link, { amount: 80 })).status).toBe(200);
    expect((await press(link, { token })).status).toBe(409);
    expect(await chargesOf(link)).toEqual([]);
    expect(await chargeOf(await pressed(link, { token: newToken(2) }))).toMatchObject({ amount_cents: 8000 });
  });
});

describe('a repeated form', () => {
  test('submitted twenty times at once, at two processes, creates one charge', async () => {
    const link = await givenLink();
    const token = newToken();
    const from = randomAddress();
    const settled = await atOnce(20, (n) => press(link, { token }, from, n % 2 === 0 ? gateway : other));
    const answers = settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
    expect(new Set(answers.map(({ txid }) => txid)).size).toBe(1);
    expect(answers.every(({ status }) => status === 303)).toBe(true);
    expect(await chargesOf(link)).toHaveLength(1);
  });

  test('leads to its existing charge, even if that has ended, and with another amount creates another', async () => {
    const link = await givenLink({ amount: null });
    const token = newToken();
    const first = await pressed(link, { token, amount: '10' });
    expect(await pressed(link, { token, amount: '10,00' })).toBe(first);
    expect(await pressed(link, { token, amount: '11' })).not.toBe(first);
    await pay(first);
    expect(await pressed(link, { token, amount: '10' })).toBe(first);
    expect(await chargesOf(link)).toHaveLength(2);
    const list = async (query: string) =>
      read(listPayments.response, await ask('GET', `/pix?payment_link_id=${link.id}${query}`));
    expect((await list('')).data.map(({ amount }) => amount)).toEqual([11, 10]);
    expect((await list('&status=paid')).data.map(({ amount }) => amount)).toEqual([10]);
    const page = await list('&limit=1');
    expect((await list(`&before=${page.next}`)).data.map(({ amount }) => amount)).toEqual([10]);
    expect(codeOf(await ask('GET', `/pix?payment_link_id=${link.id}&external_id=x`))).toBe('INVALID_QUERY');
  });

  test('without a valid token creates no charge', async () => {
    const link = await givenLink();
    for (const token of ['', 'x', `1${randomText(22)}`, `x-${randomText(22)}`, `1-${'../'.repeat(7)}.`])
      expect((await press(link, { token })).status).toBe(400);
    expect((await press(link, { amount: 'x'.repeat(5000) })).status).toBe(413);
    expect(await chargesOf(link)).toEqual([]);
  });

  test('continues the same charge if the bank did not respond before', async () => {
    const link = await givenLink({ max_payments: 1 });
    const token = newToken();
    await gateway.bank.behave({ charges: 'down' });
    expect((await press(link, { token })).status).toBe(503);
    await gateway.bank.behave({});
    const txid = await pressed(link, { token });
    expect(await chargeOf(txid)).toMatchObject({ status: 'pending' });
    expect(await chargesOf(link)).toHaveLength(1);
  });
});

describe('a limit of payments', () => {
  test('is not exceeded by open charges, even under concurrent use', async () => {
    const link = await givenLink({ max_payments: 5 });
    const settled = await atOnce(30, (n) => press(link, {}, randomAddress(), n % 2 === 0 ? gateway : other));
    const statuses = settled.map((one) => (one.status === 'fulfilled' ? one.value.status : 0));
    expect(statuses.filter((status) => status === 303)).toHaveLength(5);
    expect(statuses.filter((status) => status === 503)).toHaveLength(25);
    expect(await chargesOf(link)).toHaveLength(5);
    expect(await visit(link)).toBe(503);
  });

  test('frees a slot when a charge ends unpaid; a late payment is still credited, and counts', async () => {
    const link = await givenLink({ max_payments: 2 });
    const [late, paid] = [await pressed(link), await pressed(link)];
    await pay(paid);
    expect((await press(link)).status).toBe(503);
    await gateway.advance(1800 + 61);
    await paymentLoops.find(({ name }) => name === 'expiry')?.work(gateway.deps);
    await expect.poll(async () => (await chargeOf(late)).status).toBe('expired');
    const races = await atOnce(6, () => press(link));
    const got = races.flatMap((one) => (one.status === 'fulfilled' ? (one.value.txid ?? []) : []));
    expect(got).toHaveLength(1);
    const before = (await readBalances(gateway.deps.db, merchant.id)).psp;
    await Promise.all([late, ...got].map(pay));
    expect(before - (await readBalances(gateway.deps.db, merchant.id)).psp).toBe(10_000);
    expect(await readLink(link)).toMatchObject({ payments: 3, received: 150, state: 'sold_out' });
    expect([await visit(link), (await press(link)).status]).toEqual([410, 410]);
  });

  test('is counted correctly under concurrent payments and submissions', async () => {
    const [one, other] = [await givenLink({ max_payments: 40 }), await givenLink()];
    const txids = await Promise.all(Array.from({ length: 12 }, (_, n) => pressed(n % 2 === 0 ? one : other)));
    await Promise.all([...txids.map(pay), ...txids.slice(0, 6).map(() => pressed(one))]);
    expect(await readLink(one)).toMatchObject({ payments: 6, received: 300 });
    expect(await readLink(other)).toMatchObject({ payments: 6, received: 300 });
  });
});

test('a network can create sixty charges in ten minutes, across all links', async () => {
  const links = [await givenLink(), await givenLink()];
  const from = randomAddress();
  const settled = await atOnce(64, (n) => press(links[n % 2] ?? { url: '' }, {}, from));
  const statuses = settled.map((one) => (one.status === 'fulfilled' ? one.value.status : 0));
  expect(statuses.filter((status) => status === 303)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  await gateway.advance(601);
  expect((await press(links[0] ?? { url: '' }, {}, from)).status).toBe(303);
});

test('refused submissions of a busy link do not use up the limit of their network', async () => {
  const [busy, other] = [await givenLink(), await givenLink()];
  const from = randomAddress();
  const { db, clock } = gateway.deps;
  const key = `link ${new URL(busy.url).pathname.split('/').at(-1)}`;
  const window_ends_at = new Date(clock.now().getTime() + 60_000);
  await db.insertInto('throttles').values({ key, attempts: 600, window_ends_at }).execute();
  const settled = await atOnce(64, () => press(busy, {}, from));
  expect(settled.filter((one) => one.status === 'fulfilled' && one.value.status === 429)).toHaveLength(64);
  expect((await press(other, {}, from)).status).toBe(303);
});

test('a link that is asked for twice under one Idempotency-Key is one', async () => {
  const create = () =>
    gateway.api(
      'POST',
      '/payment-links',
      { title: 'Camiseta', amount: 50 },
      {
        apiKey: merchant.apiKey,
        headers: { 'idempotency-key': 'balcao-1' },
      },
    );
  const [first, second] = [await create(), await create()];
  expect(first.status).toBe(201);
  expect(second).toMatchObject({ status: 201, body: first.body });
});
