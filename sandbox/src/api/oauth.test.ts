import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { cobBody, connect, givenBank, givenDirectory } from '../../test/bank.ts';
import { makeCertificates } from '../../test/certificates.ts';
import { startSandbox } from '../index.ts';

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const GRANT = { grant_type: 'client_credentials' };

test('a token is issued only to the client, for a JSON or form request', async () => {
  const bank = await givenBank();
  const { clientId, clientSecret, url } = bank.sandbox;
  const granted = await bank.call('POST', '/oauth/token', GRANT, basic(`${clientId}:${clientSecret}`));
  expect(granted).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
  expect((await bank.call('POST', '/oauth/token', GRANT, basic(`${clientId}:wrong`))).status).toBe(401);
  expect((await bank.call('POST', '/oauth/token', GRANT)).status).toBe(401);
  const form = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...GRANT, scope: 'pix.read' }),
    headers: basic(`${clientId}:${clientSecret}`),
  });
  expect(await form.json()).toMatchObject({ scope: 'pix.read' });
});

test('an API call without a token, or with an expired one, returns 401', async () => {
  const bank = await givenBank({ tokenSeconds: 60 });
  expect((await bank.call('GET', '/v2/webhook')).status).toBe(401);
  const { clientId, clientSecret } = bank.sandbox;
  const { body } = await bank.call('POST', '/oauth/token', GRANT, basic(`${clientId}:${clientSecret}`));
  const bearer = { authorization: `Bearer ${body.access_token}` };
  expect((await bank.call('GET', '/v2/webhook', undefined, bearer)).status).toBe(200);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 61 });
  expect((await bank.call('GET', '/v2/webhook', undefined, bearer)).status).toBe(401);
});

test('a token grants only its scopes', async () => {
  const bank = await givenBank();
  const reader = await connect(bank.sandbox, 'cob.read');
  const refused = await reader.api('PUT', `/v2/cob/${'a'.repeat(30)}`, cobBody());
  expect(refused).toMatchObject({
    status: 403,
    body: { type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado' },
  });
});

test('with mutual TLS the API accepts only clients with a certificate from the bank’s authority', async () => {
  const { ca, server, client, stranger } = await makeCertificates(await givenDirectory());
  const bank = await startSandbox({ dataDir: await givenDirectory(), apiTls: { ...server, ca: ca.cert } });
  onTestFinished(() => bank.stop());
  const requestToken = (certificate: object) =>
    request(`${bank.apiUrl}/oauth/token`, {
      method: 'POST',
      body: JSON.stringify(GRANT),
      headers: { 'content-type': 'application/json', ...basic(`${bank.clientId}:${bank.clientSecret}`) },
      dispatcher: new Agent({ connect: { ca: ca.cert, ...certificate } }),
    });
  expect((await requestToken(client)).statusCode).toBe(200);
  await expect(requestToken({})).rejects.toThrow();
  await expect(requestToken(stranger)).rejects.toThrow();
  expect((await fetch(`${bank.url}/oauth/token`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${bank.url}/v2/webhook`)).status).toBe(404);
});
