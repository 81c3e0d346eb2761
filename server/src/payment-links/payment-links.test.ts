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
import { buildStaleWorkspaces } from '../../../tools/build.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { randomAddress } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { MAX_ROWS_SCANNED } from '../list-cursor.ts';
import { paymentLoops, settleReceived } from '../payments/index.ts';
import { randomText } from '../random-text.ts';

let gateway: TestGateway;
/** Another process of the same gateway. */
let otherProcess: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
beforeAll(async () => {
  buildStaleWorkspaces();
  const pages = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  const options = { pages, env: { TRUST_PROXY: 'loopback' } };
  gateway = await startTestGateway(options);
  otherProcess = await startTestGateway({ ...options, sharedGateway: gateway, startsWork: false });
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
});
afterAll(async () => {
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
  await otherProcess.stop();
  await gateway.stop();
});

const callApi = (method: string, path: string, body?: unknown, { apiKey } = merchant) =>
  gateway.api(method, path, body, { apiKey });
const codeOf = ({ body }: ApiAnswer) => errorEnvelope.parse(body).error.code;
const givenLink = async (terms: Readonly<Record<string, unknown>> = {}, owner = merchant) =>
  parseSuccess(
    paymentLink,
    await callApi('POST', '/payment-links', { title: 'Camiseta', amount: 50, ...terms }, owner),
  );
const readLink = async ({ id }: Pick<PaymentLink, 'id'>) =>
  parseSuccess(paymentLink, await callApi('GET', `/payment-links/${id}`));
const changeLink = (link: PaymentLink, terms: Readonly<Record<string, unknown>>) =>
  callApi('PUT', `/payment-links/${link.id}`, {
    title: link.title,
    amount: link.amount,
    max_payments: link.max_payments,
    active: link.active,
    version: link.version,
    ...terms,
  });

const newToken = (version = 1) => `${version}-${randomText(22)}`;
type Form = { readonly token?: string; readonly amount?: string };

/** Submits the form of a link's page, by default from a new network. Returns the txid in the redirect. */
async function submitForm(
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
  return { status: answer.status, txid: /^\/pagar\/(\w{35})$/.exec(location ?? '')?.[1] };
}

async function createCharge(link: Pick<PaymentLink, 'url'>, form: Form = {}): Promise<string> {
  const { status, txid } = await submitForm(link, form);
  if (txid === undefined) throw new Error(`The link answered ${status}`);
  return txid;
}

const readCharge = (txid: string) =>
  gateway.deps.db
    .selectFrom('charges')
    .select(['id', 'status', 'amount_cents', 'br_code'])
    .where('txid', '=', txid)
    .executeTakeFirstOrThrow();
const readStatus = async (txid: string) =>
  parseSuccess(getPaymentStatus.response, await callApi('GET', `/pix/status/${(await readCharge(txid)).id}`));
const readCharges = async ({ id }: Pick<PaymentLink, 'id'>) => {
  const { db } = gateway.deps;
  return await db
    .selectFrom('charge_options')
    .select('charge_id')
    .where('payment_link_id', '=', id)
    .execute();
};

/** Pays the charge and books the payment, independently of background work. */
async function payCharge(txid: string): Promise<void> {
  const { deps, bank } = gateway;
  const endToEndId = await bank.pay({ brCode: (await readCharge(txid)).br_code, force: true });
  const pix = await deps.psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error('The bank does not know what was paid.');
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.connection));
}

const visitPage = async ({ url }: Pick<PaymentLink, 'url'>) =>
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
      parseSuccess(
        listPaymentLinks.response,
        await callApi('GET', `/payment-links?${query}`, undefined, owner),
      );
    const page = await list('limit=1');
    expect(page.data).toEqual([second]);
    expect(await list(`limit=1&before=${page.next}`)).toEqual({ data: [first], next: null });

    const newTerms = { title: 'Rifa da escola', active: false, version: 1 };
    const changed = await callApi('PUT', `/payment-links/${first.id}`, newTerms, owner);
    expect(parseSuccess(paymentLink, changed)).toMatchObject({
      title: 'Rifa da escola',
      description: null,
      max_payments: null,
      state: 'off',
      version: 2,
    });
    expect(codeOf(await callApi('PUT', `/payment-links/${first.id}`, newTerms, owner))).toBe('STALE_VERSION');
    expect((await list('status=active')).data.map(({ id }) => id)).toEqual([second.id]);
    expect((await list('status=ended')).data.map(({ id }) => id)).toEqual([first.id]);
    expect(codeOf(await callApi('GET', '/payment-links?before=nada'))).toBe('INVALID_QUERY');
  });

  test('is found by status in batches, wherever it is', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const [activeLink] = [await givenLink({}, owner), await givenLink({}, owner)];
    await sql`
      insert into payment_links (merchant_id, id, slug, title, active, created_at, updated_at)
      select merchant_id, gen_random_uuid(), replace(gen_random_uuid()::text, '-', ''), 'Encerrado', false, at, at
      from payment_links cross join lateral (
        select created_at + n * interval '1 minute' as at from generate_series(1, ${MAX_ROWS_SCANNED - 1}) n) made
      where merchant_id = ${owner.id} and id = ${activeLink.id}
    `.execute(gateway.deps.db);
    const list = async (query: string) =>
      parseSuccess(
        listPaymentLinks.response,
        await callApi('GET', `/payment-links?${query}`, undefined, owner),
      );
    const first = await list('status=active&limit=5');
    expect(first.data).toHaveLength(1);
    const second = await list(`status=active&limit=5&before=${first.next}`);
    expect(second).toMatchObject({ data: [{ id: activeLink.id }], next: null });
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
    expect(codeOf(await callApi('POST', '/payment-links', { title: 'Camiseta', ...terms }))).toBe(code);
  });

  test('that has ended can be renamed, but not be given another end in the past', async () => {
    const link = await givenLink({
      ends_at: new Date(gateway.deps.clock.now().getTime() + 1000).toISOString(),
    });
    await gateway.advance(2);
    expect(await readLink(link)).toMatchObject({ state: 'ended' });
    expect((await changeLink(link, { title: 'Outra', ends_at: link.ends_at })).status).toBe(200);
    const past = { version: 2, ends_at: '2020-01-01T00:00:00Z' };
    expect(codeOf(await changeLink(link, past))).toBe('LINK_END_INVALID');
    expect(await visitPage(link)).toBe(410);
    expect((await submitForm(link)).status).toBe(410);
  });

  test('creates a charge of thirty minutes with the link’s id, and counts its payments', async () => {
    const link = await givenLink({ success_url: 'https://loja.example/obrigado' });
    const txid = await createCharge(link);
    const status = await readStatus(txid);
    expect(status).toMatchObject({
      status: 'pending',
      amount: 50,
      description: 'Camiseta',
      success_url: 'https://loja.example/obrigado',
      payment_link_id: link.id,
    });
    expect(Date.parse(status.expires_at) - Date.parse(status.created_at)).toBe(1_800_000);
    const timeline = await callApi('GET', `/pix/${status.id}/timeline`);
    expect(JSON.stringify(parseSuccess(paymentTimeline.response, timeline))).toContain(
      'em um link de pagamento',
    );
    await payCharge(txid);
    expect(await readStatus(txid)).toMatchObject({ status: 'paid' });
    expect(await readLink(link)).toMatchObject({ payments: 1, received: 50, version: 1 });
  });

  test.each([
    ['1.250,00', 125_000],
    ['R$ 86,4', 8640],
    ['12', 1200],
    ['1,50', 150],
  ])('accepts %s as a payer’s amount', async (amount, cents) => {
    const link = await givenLink({ amount: null });
    expect(await readCharge(await createCharge(link, { amount }))).toMatchObject({ amount_cents: cents });
  });

  test.each(['', 'dez', '1,499', '-5', '1,49', '15.000,01', '1e3'])(
    'explains what is wrong with %j, and creates no charge',
    async (amount) => {
      const link = await givenLink({ amount: null });
      expect(await submitForm(link, { amount })).toEqual({ status: 400, txid: undefined });
      expect(await readCharges(link)).toEqual([]);
    },
  );

  test('lets the payer correct a wrong amount', async () => {
    const { url } = await givenLink({ amount: null });
    const submission = { method: 'POST', body: new URLSearchParams({ token: newToken(), amount: 'dez' }) };
    const amountField = async (init?: RequestInit) => {
      const page = await (await fetch(gateway.url + new URL(url).pathname, init)).text();
      return /<input[^>]* id="valor"[^>]*>/.exec(page)?.[0] ?? '';
    };
    expect(await amountField()).not.toContain('autofocus');
    expect(await amountField(submission)).toMatch(/value="dez".*autofocus|autofocus.*value="dez"/);
  });

  test('uses its own amount, whatever the form contains', async () => {
    expect(await readCharge(await createCharge(await givenLink(), { amount: '0,01' }))).toMatchObject({
      amount_cents: 5000,
    });
  });

  test('that is unknown or disabled shows a page that says so, and creates no charge', async () => {
    const unknownLink = { url: 'http://gateway/link/0123456789abcdef' };
    expect([await visitPage(unknownLink), (await submitForm(unknownLink)).status]).toEqual([404, 404]);
    expect(await visitPage({ url: 'http://gateway/link/x' })).toBe(404);
    const link = await givenLink();
    await changeLink(link, { active: false });
    expect([await visitPage(link), (await submitForm(link)).status]).toEqual([410, 410]);
    expect(await readCharges(link)).toEqual([]);
  });

  test('of a merchant who may not receive creates no charge', async () => {
    const frozenMerchant = await givenMerchant(gateway, { admin });
    const link = await givenLink({}, frozenMerchant);
    await gateway.api(
      'POST',
      `/admin/users/${frozenMerchant.id}/freeze`,
      { reason: 'verificação' },
      { token: admin.token },
    );
    expect([await visitPage(link), (await submitForm(link)).status]).toEqual([503, 503]);
    expect(await readCharges(link)).toEqual([]);
  });

  test('of a merchant who has still to connect an account of their own creates no charge', async () => {
    const owner = await givenMerchant(gateway, { admin, account: { merchant_kind: 'direct' } });
    const link = await givenLink({}, owner);
    expect([await visitPage(link), (await submitForm(link)).status]).toEqual([503, 503]);
    expect(await readCharges(link)).toEqual([]);
  });

  test('changed while its page was open is shown again, and charges no price that the payer has not seen', async () => {
    const link = await givenLink();
    const html = await (await fetch(gateway.url + new URL(link.url).pathname)).text();
    const token = /name="token"[^>]* value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(token).toMatch(/^1-\w{22}$/);
    expect((await changeLink(link, { amount: 80 })).status).toBe(200);
    expect((await submitForm(link, { token })).status).toBe(409);
    expect(await readCharges(link)).toEqual([]);
    expect(await readCharge(await createCharge(link, { token: newToken(2) }))).toMatchObject({
      amount_cents: 8000,
    });
  });
});

describe('a repeated form', () => {
  test('submitted twenty times concurrently, to two processes, creates one charge', async () => {
    const link = await givenLink();
    const token = newToken();
    const from = randomAddress();
    const settled = await runConcurrently(20, (n) =>
      submitForm(link, { token }, from, n % 2 === 0 ? gateway : otherProcess),
    );
    const answers = settled.map((result) => (result.status === 'fulfilled' ? result.value : result.reason));
    expect(new Set(answers.map(({ txid }) => txid)).size).toBe(1);
    expect(answers.every(({ status }) => status === 303)).toBe(true);
    expect(await readCharges(link)).toHaveLength(1);
  });

  test('leads to its existing charge, even if that has ended, and with another amount creates another', async () => {
    const link = await givenLink({ amount: null });
    const token = newToken();
    const first = await createCharge(link, { token, amount: '10' });
    expect(await createCharge(link, { token, amount: '10,00' })).toBe(first);
    expect(await createCharge(link, { token, amount: '11' })).not.toBe(first);
    await payCharge(first);
    expect(await createCharge(link, { token, amount: '10' })).toBe(first);
    expect(await readCharges(link)).toHaveLength(2);
    const list = async (query: string) =>
      parseSuccess(listPayments.response, await callApi('GET', `/pix?payment_link_id=${link.id}${query}`));
    expect((await list('')).data.map(({ amount }) => amount)).toEqual([11, 10]);
    expect((await list('&status=paid')).data.map(({ amount }) => amount)).toEqual([10]);
    const page = await list('&limit=1');
    expect((await list(`&before=${page.next}`)).data.map(({ amount }) => amount)).toEqual([10]);
    expect(codeOf(await callApi('GET', `/pix?payment_link_id=${link.id}&external_id=x`))).toBe(
      'INVALID_QUERY',
    );
  });

  test('without a valid token creates no charge', async () => {
    const link = await givenLink();
    for (const token of ['', 'x', `1${randomText(22)}`, `x-${randomText(22)}`, `1-${'../'.repeat(7)}.`])
      expect((await submitForm(link, { token })).status).toBe(400);
    expect((await submitForm(link, { amount: 'x'.repeat(5000) })).status).toBe(413);
    expect(await readCharges(link)).toEqual([]);
  });

  test('continues the same charge if the bank did not respond before', async () => {
    const link = await givenLink({ max_payments: 1 });
    const token = newToken();
    await gateway.bank.setBehaviour({ charges: 'down' });
    expect((await submitForm(link, { token })).status).toBe(503);
    await gateway.bank.setBehaviour({});
    const txid = await createCharge(link, { token });
    expect(await readCharge(txid)).toMatchObject({ status: 'pending' });
    expect(await readCharges(link)).toHaveLength(1);
  });
});

describe('a limit of payments', () => {
  test('is not exceeded by open charges, even under concurrent use', async () => {
    const link = await givenLink({ max_payments: 5 });
    const settled = await runConcurrently(30, (n) =>
      submitForm(link, {}, randomAddress(), n % 2 === 0 ? gateway : otherProcess),
    );
    const statuses = settled.map((result) => (result.status === 'fulfilled' ? result.value.status : 0));
    expect(statuses.filter((status) => status === 303)).toHaveLength(5);
    expect(statuses.filter((status) => status === 503)).toHaveLength(25);
    expect(await readCharges(link)).toHaveLength(5);
    expect(await visitPage(link)).toBe(503);
  });

  test('allows another charge when one ends unpaid; a late payment of that one is still credited, and counts', async () => {
    const link = await givenLink({ max_payments: 2 });
    const [late, paid] = [await createCharge(link), await createCharge(link)];
    await payCharge(paid);
    expect((await submitForm(link)).status).toBe(503);
    await gateway.advance(1800 + 61);
    await paymentLoops.find(({ name }) => name === 'expiry')?.work(gateway.deps);
    await expect.poll(async () => (await readCharge(late)).status).toBe('expired');
    const attempts = await runConcurrently(6, () => submitForm(link));
    const newTxids = attempts.flatMap((result) =>
      result.status === 'fulfilled' ? (result.value.txid ?? []) : [],
    );
    expect(newTxids).toHaveLength(1);
    const before = (await readBalances(gateway.deps.db, merchant.id)).psp;
    await Promise.all([late, ...newTxids].map(payCharge));
    expect(before - (await readBalances(gateway.deps.db, merchant.id)).psp).toBe(10_000);
    expect(await readLink(link)).toMatchObject({ payments: 3, received: 150, state: 'sold_out' });
    expect([await visitPage(link), (await submitForm(link)).status]).toEqual([410, 410]);
  });

  test('is counted correctly under concurrent payments and submissions', async () => {
    const [limitedLink, openLink] = [await givenLink({ max_payments: 40 }), await givenLink()];
    const txids = await Promise.all(
      Array.from({ length: 12 }, (_, n) => createCharge(n % 2 === 0 ? limitedLink : openLink)),
    );
    await Promise.all([...txids.map(payCharge), ...txids.slice(0, 6).map(() => createCharge(limitedLink))]);
    expect(await readLink(limitedLink)).toMatchObject({ payments: 6, received: 300 });
    expect(await readLink(openLink)).toMatchObject({ payments: 6, received: 300 });
  });
});

test('a network can create sixty charges in ten minutes, across all links', async () => {
  const links = [await givenLink(), await givenLink()];
  const from = randomAddress();
  const settled = await runConcurrently(64, (n) => submitForm(links[n % 2] ?? { url: '' }, {}, from));
  const statuses = settled.map((result) => (result.status === 'fulfilled' ? result.value.status : 0));
  expect(statuses.filter((status) => status === 303)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  await gateway.advance(601);
  expect((await submitForm(links[0] ?? { url: '' }, {}, from)).status).toBe(303);
});

test('refused submissions of a busy link do not use up the limit of their network', async () => {
  const [busyLink, otherLink] = [await givenLink(), await givenLink()];
  const from = randomAddress();
  const { db, clock } = gateway.deps;
  const key = `link ${new URL(busyLink.url).pathname.split('/').at(-1)}`;
  const window_ends_at = new Date(clock.now().getTime() + 60_000);
  await db.insertInto('throttles').values({ key, attempts: 600, window_ends_at }).execute();
  const settled = await runConcurrently(64, () => submitForm(busyLink, {}, from));
  expect(
    settled.filter((result) => result.status === 'fulfilled' && result.value.status === 429),
  ).toHaveLength(64);
  expect((await submitForm(otherLink, {}, from)).status).toBe(303);
});

test('a link that is created twice under one Idempotency-Key is one link', async () => {
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
