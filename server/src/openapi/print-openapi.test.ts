import { type Endpoint, endpoints, errors } from '@jangada/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { printOpenApi } from './print-openapi.ts';

const about = { version: '1.2.3', publicUrl: 'https://pay.example.com' };

test('the printed document is valid OpenAPI 3.1, for a validator that is not ours', async () => {
  const validator = new Validator();
  expect(await validator.validate(printOpenApi(about))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator finds what is wrong', async () => {
  const { valid } = await new Validator().validate({ ...printOpenApi(about), paths: { login: {} } });
  expect(valid).toBe(false);
});

test('nor does Redocly find an error in it', async () => {
  const source = JSON.stringify(printOpenApi(about));
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('every kind of webhook stands in it, with its body', () => {
  const { webhooks } = printOpenApi(about);
  expect(Object.keys(webhooks as object)).toEqual([
    'payment',
    'refundFailed',
    'withdrawal',
    'dispute',
    'test',
  ]);
});

test('every endpoint of the contract stands in it, with its operation, access and errors', () => {
  const { paths, servers } = printOpenApi(about);
  expect(servers).toEqual([{ url: 'https://pay.example.com/api' }]);
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const codes = endpoint.refusals.map((code) => ({ [String(errors[code].status)]: expect.anything() }));
    expect(paths).toMatchObject({
      [endpoint.path]: {
        [endpoint.method.toLowerCase()]: {
          operationId: endpoint.name,
          responses: Object.assign({ [String(endpoint.status ?? 200)]: expect.anything() }, ...codes),
        },
      },
    });
  }
});

test('a call of a merchant names both of its keys, its idempotency and its example', () => {
  const printed = printOpenApi(about);
  expect(printed).toMatchObject({
    paths: {
      '/pix/new': {
        post: {
          description: expect.stringContaining('`charges`'),
          security: [{ apiKey: [] }, { session: [] }],
          parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
          requestBody: {
            description: expect.stringContaining('callback vale por callback_url'),
            content: {
              'application/json': {
                schema: { type: 'object', required: ['amount'] },
                example: { amount: 25.9, expires_in: 1800 },
              },
            },
          },
          responses: { 401: { description: expect.stringContaining('INVALID_API_KEY') } },
        },
      },
      '/pix/status/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true }] } },
    },
  });
});

test('a call that takes files names their fields, and one that answers a picture says so', () => {
  expect(printOpenApi(about)).toMatchObject({
    paths: {
      '/authed/verify/cpf': {
        post: {
          requestBody: {
            content: {
              'multipart/form-data': {
                schema: {
                  required: ['document_front', 'document_back', 'selfie'],
                  properties: { selfie: { format: 'binary' } },
                },
              },
            },
          },
          responses: { 415: { description: expect.stringContaining('UNSUPPORTED_MEDIA_TYPE') } },
        },
      },
      '/avatars/{id}': {
        get: { responses: { 200: { content: { 'image/webp': { schema: { format: 'binary' } } } } } },
      },
    },
  });
});
