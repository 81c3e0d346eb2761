import { batch } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let other: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway();
  const admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
  other = await givenMerchant(gateway, { admin });
  await givenPaidPayment(gateway, merchant, { amount: 25 });
});
afterAll(() => gateway.stop());

const get = (path: string, { token } = merchant) => gateway.api('GET', path, undefined, { token });
async function answersTo(paths: readonly string[], by = merchant) {
  const response = await get(`/authed/batch?paths=${encodeURIComponent(paths.join())}`, by);
  return parseSuccess(batch.response, response).answers;
}

test('a batch answers each call as if it came alone, in the order of the calls', async () => {
  const paths = [
    '/settings',
    '/authed/profile',
    '/authed/feed/transactions?limit=5',
    '/authed/disputes?status=open&pageSize=100',
    '/authed/stats/daily?days=7',
    '/authed/check-withdrawal-pin',
  ];
  const answers = await answersTo(paths);
  for (const [nth, path] of paths.entries()) {
    const alone = await get(path);
    expect(answers[nth]).toEqual({ path, status: alone.status, body: alone.body });
    expect(alone.status, path).toBe(200);
  }
});

test('a batch is sent compressed to callers who accept that', async () => {
  const url = `${gateway.url}/api/authed/batch?paths=/authed/profile`;
  const authorization = `Bearer ${merchant.token}`;
  for (const [accepted, encoding] of [
    ['gzip, br', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await fetch(url, { headers: { authorization, 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toContain('accept-encoding');
    expect(batch.response.parse(await response.json()).answers).toMatchObject([{ status: 200 }]);
  }
});

test('a batch refuses calls that no screen begins with, and calls that do not parse', async () => {
  for (const [path, refusal] of [
    ['/admin/audit-log', { status: 404, code: 'NOT_FOUND' }],
    ['/webhooks/secret', { status: 404, code: 'NOT_FOUND' }],
    ['/authed/stats/daily?days=seven', { status: 400, code: 'INVALID_QUERY' }],
    ['/authed/stats/daily?days=7&days=30', { status: 400, code: 'INVALID_QUERY' }],
    ['/authed/statement/export/csv', { status: 404, code: 'NOT_FOUND' }],
    ['/logout', { status: 404, code: 'NOT_FOUND' }],
    ['/authed/batch?paths=/settings', { status: 404, code: 'NOT_FOUND' }],
    ['/constructor', { status: 404, code: 'NOT_FOUND' }],
    ['//elsewhere.example/', { status: 404, code: 'NOT_FOUND' }],
  ] as const) {
    const [answer] = await answersTo([path], other);
    expect([path, answer?.status]).toEqual([path, refusal.status]);
    expect(answer?.body).toMatchObject({ success: false, error: { code: refusal.code } });
  }
});

test('a batch needs a session, and holds sixteen calls at most', async () => {
  expect(await gateway.api('GET', '/authed/batch?paths=/settings')).toMatchObject({ status: 401 });
  const tooMany = await get(`/authed/batch?paths=${Array(17).fill('/settings').join()}`);
  expect(tooMany).toMatchObject({ status: 400, body: { error: { code: 'INVALID_QUERY' } } });
});

test('each call of a batch counts towards the limit of calls', async () => {
  const limited = await startTestGateway({
    sharedGateway: gateway,
    startsWork: false,
    env: { RATE_LIMIT: '20' },
  });
  try {
    const paths = Array(16).fill('/authed/profile').join();
    const call = () =>
      limited.api('GET', `/authed/batch?paths=${paths}`, undefined, { token: merchant.token });
    const statuses: number[] = [];
    for (let nth = 0; nth < 2; nth += 1)
      for (const { status } of parseSuccess(batch.response, await call()).answers) statuses.push(status);
    expect(statuses).toEqual([...Array(18).fill(200), ...Array(14).fill(429)]);
  } finally {
    await limited.stop();
  }
});
