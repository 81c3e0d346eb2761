import { type Endpoint, endpoints, refusalCodes } from '@jangada/contract';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, type GivenMerchant, givenAdmin, givenMerchant } from '../../test/given.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
});
afterAll(() => gateway.stop());

function credentialsFor({ access }: Endpoint): Record<string, string> {
  if (access === 'public') return {};
  if (access === 'apiKey') return { 'x-api-key': merchant.apiKey };
  return { authorization: `Bearer ${access === 'staff' ? admin.token : merchant.token}` };
}

async function callWith(endpoint: Endpoint, param: string, body?: string) {
  const path = endpoint.path.replace(/\{\w+\}/g, param);
  const answer = await request(`${gateway.url}/api${path}`, {
    method: endpoint.method,
    headers: {
      ...credentialsFor(endpoint),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body ?? null,
  });
  const { error } = (await answer.body.json()) as { error?: { code?: string } };
  return { status: answer.statusCode, code: error?.code };
}

const allEndpoints: readonly Endpoint[] = endpoints;
const withNames = (endpointsToName: readonly Endpoint[]) =>
  endpointsToName.map((endpoint) => [endpoint.name, endpoint] as const);

describe('a call is refused as documented', () => {
  test.each(withNames(allEndpoints.filter(({ params }) => params)))(
    '%s, with a very long or unknown id',
    async (_, endpoint) => {
      const body = endpoint.body && '{}';
      for (const param of ['x'.repeat(101), 'x'.repeat(5000), '%00', 'x']) {
        const { status, code } = await callWith(endpoint, param, body);
        expect([400, 403, 404, 415]).toContain(status);
        expect(refusalCodes(endpoint)).toContain(code);
        if (endpoint.method === 'GET') expect(status).toBe(404);
      }
    },
  );

  test.each(withNames(allEndpoints.filter(({ method }) => method !== 'GET')))(
    '%s, with a broken body',
    async (_, endpoint) => {
      for (const body of ['{"', `"${'x'.repeat(9_000_000)}"`]) {
        const { code } = await callWith(endpoint, '5a3d9c1e-2b47-4c8f-8e60-7d1f0b9a6c34', body);
        expect(refusalCodes(endpoint)).toContain(code);
      }
    },
  );
});
