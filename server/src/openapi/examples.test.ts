import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Endpoint, endpoints } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Called, makeExampleCalls, undocumented } from '../../test/example-calls.ts';
import { type PushService, startPushService } from '../../test/push-service.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { exampleOf } from './examples.ts';
import { shownExamples } from './shown-examples.ts';

let stand: WithdrawalStand;
let push: PushService;
beforeAll(async () => {
  [stand, push] = [await WithdrawalStand.start(), await startPushService()];
});
afterAll(async () => {
  await push.close();
  await stand.gateway.stop();
});

const all: readonly Endpoint[] = endpoints;
const recorded = fileURLToPath(new URL('recorded-examples.json', import.meta.url));

/** The field names in an example, including those in lists. */
function namesIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => namesIn(item, `${path}[]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${path}.${name}`,
    ...namesIn(inner, `${path}.${name}`),
  ]);
}

/** Ignores lists that are empty, and objects that are null, in one of them. */
function common(names: readonly string[], others: readonly string[]): string[] {
  const parentOf = (name: string) => name.replace(/\.[^.]*$/, '');
  return names.filter((one) => others.some((other) => parentOf(other) === parentOf(one))).toSorted();
}

test('each documented call succeeds, with the documented response', async () => {
  const called = await makeExampleCalls(stand, push);
  if (process.env['WRITE_EXAMPLES'] !== undefined)
    writeFileSync(recorded, `${JSON.stringify(shownExamples(called, stand.gateway.url), null, 2)}\n`);
  const names = new Set(called.map(({ name }) => name));
  expect(undocumented.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  for (const real of shownExamplesByName(called)) {
    const shown = exampleOf(real.name);
    for (const part of ['params', 'query', 'body', 'answer'] as const) {
      const [wanted, had] = [namesIn(shown?.[part]), namesIn(real[part])];
      expect([real.name, part, ...common(wanted, had)]).toEqual([real.name, part, ...common(had, wanted)]);
      expect([real.name, part, shown?.[part] === undefined]).toEqual([
        real.name,
        part,
        real[part] === undefined,
      ]);
    }
  }
});

function shownExamplesByName(called: readonly Called[]): Called[] {
  return Object.entries(shownExamples(called, stand.gateway.url)).map(([name, example]) => ({
    name,
    ...example,
  }));
}

describe('the documented example', () => {
  test.each(all.map((endpoint) => [endpoint.name, endpoint] as const))(
    'of %s matches its schemas',
    (name, endpoint) => {
      const { params, query, body, answer } = exampleOf(name) ?? {};
      const fits = (schema: Endpoint['body'], value: unknown) =>
        expect(schema?.safeParse(value).error).toBeUndefined();
      fits(endpoint.params, params);
      if (query !== undefined) fits(endpoint.query, query);
      if (endpoint.body !== undefined) expect(body).toBeDefined();
      fits(endpoint.body, body);
      if (endpoint.file?.some((type) => type.startsWith('image/'))) return;
      expect(answer).toBeDefined();
      fits(endpoint.response, answer);
    },
  );
});
