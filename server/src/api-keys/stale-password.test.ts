import {
  apiKeyStatus,
  confirmPassword,
  errorEnvelope,
  generateApiKey,
  PASSWORD_FRESH_SECONDS,
  rotateWebhookSecret,
  webhookSecret,
} from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenMerchant, parseSuccess } from '../../test/given.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

test('a session with an old password confirmation neither reads nor creates a key without the password', async () => {
  const { token, password } = await givenMerchant(gateway);
  const call = (method: string, path: string, body?: unknown) => gateway.api(method, path, body, { token });
  const codeOfGenerating = async (body?: unknown) =>
    errorEnvelope.parse((await call('POST', '/authed/apikey', body)).body).error.code;

  expect(parseSuccess(apiKeyStatus.response, await call('GET', '/authed/apikey')).key).toMatch(/^jgd_/);
  await gateway.advance(PASSWORD_FRESH_SECONDS);
  expect(parseSuccess(apiKeyStatus.response, await call('GET', '/authed/apikey')).key).toBeNull();
  expect(await codeOfGenerating()).toBe('PASSWORD_REQUIRED');
  expect(await codeOfGenerating({})).toBe('PASSWORD_REQUIRED');
  expect(await codeOfGenerating({ password: 'outra' })).toBe('PASSWORD_WRONG');

  const newKey = parseSuccess(generateApiKey.response, await call('POST', '/authed/apikey', { password }));
  expect(parseSuccess(apiKeyStatus.response, await call('GET', '/authed/apikey')).key).toBe(newKey.apiKey);
  // With a recent confirmation no body is needed, as specified.
  expect((await call('POST', '/authed/apikey')).status).toBe(200);
});

test('a session with an old password confirmation neither reads nor rotates the webhook secret until the confirmation is renewed', async () => {
  const { token, password } = await givenMerchant(gateway);
  const call = (method: string, path: string, body?: unknown) => gateway.api(method, path, body, { token });
  const passwordRequired = { status: 403, body: { error: { code: 'PASSWORD_REQUIRED' } } };
  const withoutSecret = { status: 200, body: { secret: null } };
  const readSecret = () => call('GET', '/authed/webhook-secret');

  const { secret } = parseSuccess(webhookSecret.response, await readSecret());
  await gateway.advance(PASSWORD_FRESH_SECONDS);
  expect(await readSecret()).toMatchObject(withoutSecret);
  expect(await call('POST', '/authed/webhook-secret/rotate')).toMatchObject(passwordRequired);
  expect(await call('POST', '/authed/confirm-password', { password: 'outra' })).toMatchObject({
    status: 403,
    body: { error: { code: 'PASSWORD_WRONG' } },
  });
  expect(await readSecret()).toMatchObject(withoutSecret);

  parseSuccess(confirmPassword.response, await call('POST', '/authed/confirm-password', { password }));
  expect(parseSuccess(webhookSecret.response, await readSecret()).secret).toBe(secret);
  const rotated = parseSuccess(
    rotateWebhookSecret.response,
    await call('POST', '/authed/webhook-secret/rotate'),
  );
  expect(rotated.secret).not.toBe(secret);
  await gateway.advance(PASSWORD_FRESH_SECONDS);
  expect(await readSecret()).toMatchObject(withoutSecret);
});

test('password guesses of a session are limited', async () => {
  const { token, password } = await givenMerchant(gateway);
  const confirm = (guess: string) =>
    gateway.api('POST', '/authed/confirm-password', { password: guess }, { token });
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect(await confirm('um palpite')).toMatchObject({ status: 403 });
  expect(await confirm(password)).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
});

test('a text with a NUL character is refused', async () => {
  const answer = await gateway.api('POST', '/login', { username: 'a\u0000b', password: 'x' });
  expect(errorEnvelope.parse(answer.body).error.code).toBe('INVALID_BODY');
});
