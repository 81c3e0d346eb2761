import { expect, test } from 'vitest';
import { createDeviceCookie, parseDeviceCookie } from './session.ts';

test('the cookie given to a browser is read back as its device', () => {
  const { device, setCookie } = createDeviceCookie('https://pay.example.com');
  const [pair = '', ...attributes] = setCookie.split('; ');
  expect(parseDeviceCookie(pair)).toBe(device);
  expect(parseDeviceCookie(`other=1; ${pair}; more=2`)).toBe(device);
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/api']));
  expect(createDeviceCookie('http://localhost:3000').setCookie).not.toContain('Secure');
});

test.each([undefined, '', 'jangada_device=', 'jangada_device=short', `x_jangada_device=${'a'.repeat(43)}`])(
  'no device is read from %s',
  (header) => expect(parseDeviceCookie(header)).toBeUndefined(),
);
