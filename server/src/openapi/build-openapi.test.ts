import { type Endpoint, endpoints, errors } from '@jangada/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { buildOpenApi } from './build-openapi.ts';

const documentInfo = { version: '1.2.3', publicUrl: 'https://pay.example.com' };

test('the printed document is valid OpenAPI 3.1 for an independent validator', async () => {
  const validator = new Validator();
  expect(await validator.validate(buildOpenApi(documentInfo))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator rejects a document with an error, which proves that it works', async () => {
  const { valid } = await new Validator().validate({ ...buildOpenApi(documentInfo), paths: { login: {} } });
  expect(valid).toBe(false);
});

/** The only problems that are accepted: no id of a charge is `status` or `batches`, but a UUID. */
const acceptedProblems = [
  ...['cancel', 'timeline', 'refund', 'refunds'].map((action) => ['/pix/status/{id}', `/pix/{id}/${action}`]),
  ['/pix/{id}/cancel', '/pix/batches/{id}'],
].map(
  ([first, second]) =>
    `Paths should resolve unambiguously. Found two ambiguous paths: \`${first}\` and \`${second}\`.`,
);

test.each(['https://pix.loja.com.br', 'http://localhost:3000'])(
  'Redocly reports no errors or warnings either, printed at %s',
  async (publicUrl) => {
    const source = JSON.stringify(buildOpenApi({ ...documentInfo, publicUrl }));
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ message }) => message).toSorted()).toEqual(acceptedProblems.toSorted());
  },
);

type Node = { readonly [name: string]: unknown };

/** Yields every object in the document, with its path. */
function* nodesOf(value: unknown, path = ''): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Node];
  for (const [name, inner] of Object.entries(value)) yield* nodesOf(inner, `${path}/${name}`);
}

test('every requested amount has a minimum, a maximum and a step', () => {
  const requestedAmounts = [...nodesOf(buildOpenApi(documentInfo)['paths'])].filter(
    ([path, { type }]) =>
      /\/requestBody\/.*\/(?:amount|balance|balance_before|fixIn|fixOut|in|out|percentage)(?:\/anyOf\/0)?$/.test(
        path,
      ) && typeof type === 'string',
  );
  expect(requestedAmounts.length).toBeGreaterThan(9);
  for (const [path, { type, ...bounds }] of requestedAmounts)
    expect({ path, ...bounds }).toMatchObject({
      minimum: expect.any(Number),
      maximum: expect.any(Number),
      ...(type === 'number' && { multipleOf: 0.01 }),
    });
});

test('every operation has an example request and response, except for files', () => {
  const nodes = [...nodesOf(buildOpenApi(documentInfo)['paths'])];
  const contents = nodes.filter(([path]) =>
    /\/(?:requestBody|responses\/20\d)\/content\/(?:application|text)\/[^/]+$/.test(path),
  );
  expect(contents.length).toBeGreaterThan(endpoints.length);
  expect(contents.filter(([, content]) => !('example' in content)).map(([path]) => path)).toEqual([]);
});

test('no number has a machine limit as its bound', () => {
  expect(JSON.stringify(buildOpenApi(documentInfo))).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('every kind of webhook is included, with its body', () => {
  const { webhooks } = buildOpenApi(documentInfo);
  expect(Object.keys(webhooks as object)).toEqual([
    'payment',
    'refundFailed',
    'withdrawal',
    'dispute',
    'test',
  ]);
});

test('every endpoint of the contract is included, with its operation, access and errors', () => {
  const { paths, servers } = buildOpenApi(documentInfo);
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

test('a merchant’s call includes both kinds of keys, its idempotency and its example', () => {
  const document = buildOpenApi(documentInfo);
  expect(document).toMatchObject({
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

test('an upload names its fields, and a call that returns a picture says so', () => {
  expect(buildOpenApi(documentInfo)).toMatchObject({
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
