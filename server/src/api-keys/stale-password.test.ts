import { apiKeyStatus, errorEnvelope, generateApiKey, PASSWORD_FRESH_SECONDS } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenMerchant, read } from '../../test/given.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ work: false });
});
afterAll(() => gateway.stop());

test('a session whose password was given long ago neither reads nor makes a key without it', async () => {
  const { token, password } = await givenMerchant(gateway);
  const call = (method: string, path: string, body?: unknown) => gateway.api(method, path, body, { token });
  const codeOf = async (body?: unknown) =>
    errorEnvelope.parse((await call('POST', '/authed/apikey', body)).body).error.code;

  expect(read(apiKeyStatus.response, await call('GET', '/authed/apikey')).key).toMatch(/^jgd_/);
  await gateway.advance(PASSWORD_FRESH_SECONDS);
  expect(read(apiKeyStatus.response, await call('GET', '/authed/apikey')).key).toBeNull();
  expect(await codeOf()).toBe('PASSWORD_REQUIRED');
  expect(await codeOf({})).toBe('PASSWORD_REQUIRED');
  expect(await codeOf({ password: 'outra' })).toBe('PASSWORD_WRONG');

  const made = read(generateApiKey.response, await call('POST', '/authed/apikey', { password }));
  expect(read(apiKeyStatus.response, await call('GET', '/authed/apikey')).key).toBe(made.apiKey);
  // The password is fresh again: as specified, without a body.
  expect((await call('POST', '/authed/apikey')).status).toBe(200);
});

test('a text with a NUL is refused, wherever it stands', async () => {
  const answer = await gateway.api('POST', '/login', { username: 'a\u0000b', password: 'x' });
  expect(errorEnvelope.parse(answer.body).error.code).toBe('INVALID_BODY');
});
