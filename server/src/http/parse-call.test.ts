import {
  adminUpdateUser,
  createWebhookEndpoint,
  type Endpoint,
  endpoints,
  listEvents,
  updateWebhookEndpoint,
} from '@jangada/contract';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseBody, parseQuery } from './parse-call.ts';

test.each([
  ['a text that is too short', { after: '' }, 'O campo after deve ter no mínimo 1 caractere.'],
  ['a text that is too long', { after: 'a'.repeat(201) }, 'O campo after deve ter no máximo 200 caracteres.'],
  ['a number that is too large', { limit: '101' }, 'O campo limit deve ser no máximo 100.'],
])('%s is reported as such', (_name, input, message) => {
  expect(() => parseQuery(listEvents, input)).toThrow(message);
});

test('a PUT refuses unknown fields by name, and a POST ignores them', () => {
  const body = { url: 'https://loja.example/hook', state: 'off', failures: 3 };
  expect(() => parseBody(updateWebhookEndpoint, body)).toThrow('Esta chamada não altera: state, failures.');
  expect(parseBody(createWebhookEndpoint, body)).toMatchObject({ url: body.url });
});

test('a PUT also refuses unknown nested fields by name', () => {
  const pix = { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 };
  const reserve = { enabled: false, percentage: 0, liberationTime: 0 };
  const taxes = { pix, crypto: 0, reserve };
  const parseTaxes = (input: object) => parseBody(adminUpdateUser, { version: 1, taxes: input });
  expect(parseTaxes(taxes)).toMatchObject({ taxes });
  expect(() => parseTaxes({ ...taxes, pix: { ...pix, fix_in: 1 }, card: 2 })).toThrow(
    'Esta chamada não altera: taxes.pix.fix_in, taxes.card.',
  );
});

test('every PUT has a body with known fields', () => {
  const all: readonly Endpoint[] = endpoints;
  for (const { name, method, body } of all)
    if (method === 'PUT') expect([name, body instanceof z.ZodMiniObject]).toEqual([name, true]);
});
