import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Endpoint, endpoints } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExampleCall, makeExampleCalls, undocumented } from '../../test/example-calls.ts';
import { type PushService, startPushService } from '../../test/push-service.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { exampleOf } from './examples.ts';
import { maskExamples } from './mask-examples.ts';

let stand: WithdrawalStand;
let push: PushService;
beforeAll(async () => {
  [stand, push] = [await WithdrawalStand.start(), await startPushService()];
});
afterAll(async () => {
  await push.close();
  await stand.gateway.stop();
});

const allEndpoints: readonly Endpoint[] = endpoints;
const recordingsFile = fileURLToPath(new URL('recorded-examples.json', import.meta.url));

/** Returns the field names in an example, including those in lists. */
function namesIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => namesIn(item, `${path}[]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${path}.${name}`,
    ...namesIn(inner, `${path}.${name}`),
  ]);
}

/** Returns the names without those in lists that are empty, or objects that are null, in the other example. */
function comparable(names: readonly string[], otherNames: readonly string[]): string[] {
  const parentOf = (name: string) => name.replace(/\.[^.]*$/, '');
  return names.filter((name) => otherNames.some((other) => parentOf(other) === parentOf(name))).toSorted();
}

test('each documented call succeeds, with the documented response', async () => {
  const calls = await makeExampleCalls(stand, push);
  if (process.env['WRITE_EXAMPLES'] !== undefined)
    writeFileSync(recordingsFile, `${JSON.stringify(maskExamples(calls, stand.gateway.url), null, 2)}\n`);
  const names = new Set(calls.map(({ name }) => name));
  expect(undocumented.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  for (const call of shownExamplesByName(calls)) {
    const example = exampleOf(call.name);
    for (const part of ['params', 'query', 'body', 'answer'] as const) {
      const [documentedNames, actualNames] = [namesIn(example?.[part]), namesIn(call[part])];
      expect([call.name, part, ...comparable(documentedNames, actualNames)]).toEqual([
        call.name,
        part,
        ...comparable(actualNames, documentedNames),
      ]);
      expect([call.name, part, example?.[part] === undefined]).toEqual([
        call.name,
        part,
        call[part] === undefined,
      ]);
    }
  }
});

function shownExamplesByName(calls: readonly ExampleCall[]): ExampleCall[] {
  return Object.entries(maskExamples(calls, stand.gateway.url)).map(([name, example]) => ({
    name,
    ...example,
  }));
}

describe('the documented example', () => {
  test.each(allEndpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
    'of %s matches its schemas',
    (name, endpoint) => {
      const { params, query, body, answer } = exampleOf(name) ?? {};
      const expectMatch = (schema: Endpoint['body'], value: unknown) =>
        expect(schema?.safeParse(value).error).toBeUndefined();
      expectMatch(endpoint.params, params);
      if (query !== undefined) expectMatch(endpoint.query, query);
      if (endpoint.body !== undefined) expect(body).toBeDefined();
      expectMatch(endpoint.body, body);
      if (endpoint.file?.some((type) => type.startsWith('image/'))) return;
      expect(answer).toBeDefined();
      expectMatch(endpoint.response, answer);
    },
  );
});
