import { expect, test } from 'vitest';
import { deviceOf, newDevice } from './session.ts';

test('the mark that a browser is given is the one that it brings back', () => {
  const { device, setCookie } = newDevice('https://pay.example.com');
  const [pair = '', ...attributes] = setCookie.split('; ');
  expect(deviceOf(pair)).toBe(device);
  expect(deviceOf(`other=1; ${pair}; more=2`)).toBe(device);
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/api']));
  expect(newDevice('http://localhost:3000').setCookie).not.toContain('Secure');
});

test.each([undefined, '', 'jangada_device=', 'jangada_device=short', `x_jangada_device=${'a'.repeat(43)}`])(
  'no mark is read from %s',
  (header) => expect(deviceOf(header)).toBeUndefined(),
);
