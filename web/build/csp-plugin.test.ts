import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './csp-plugin.ts';

test('a build for the same origin may call only its own', () => {
  expect(contentSecurityPolicy([undefined, '/api'])).toEqual({
    policy:
      "default-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    connectSrc: ["'self'"],
  });
});

test('a build for another provider may call that provider and its channel', () => {
  const { policy, connectSrc } = contentSecurityPolicy([
    'https://api.provider.test/v1',
    'wss://live.provider.test/ws',
  ]);
  expect(connectSrc).toEqual(["'self'", 'https://api.provider.test', 'wss://live.provider.test']);
  expect(policy).toContain("img-src 'self' data: blob: https://api.provider.test;");
  expect(policy).toContain("connect-src 'self' https://api.provider.test wss://live.provider.test;");
});
