import { readdirSync, readFileSync } from 'node:fs';
import { exampleAnswers } from '@jangada/contract/docs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as small from './zod-mini.ts';

const sources = (folder: URL): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith('docs/'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));

test('it has every part of Zod that the contract and the panel name', () => {
  const typesOnly = ['infer', 'input', 'output', 'ZodMiniType'];
  const named = [new URL('../../../contract/src/', import.meta.url), new URL('../', import.meta.url)]
    .flatMap(sources)
    .filter((source) => source.includes("'zod/mini'"))
    .flatMap((source) => [...source.matchAll(/\bz\.(\w+)/g)].map(([, name = '']) => name))
    .filter((name) => !typesOnly.includes(name));
  expect([...new Set(named)].filter((name) => !(name in small))).toEqual([]);
  expect(Object.keys(small).filter((name) => !named.includes(name))).toEqual([]);
});

type Checks = {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: {
      readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
    };
  };
};
const isSchema = (value: unknown): value is Checks =>
  typeof value === 'object' && value !== null && 'safeParse' in value;

/** The schemas that the contract exports, alone and as parts of its endpoints, with the contract's readers of answers. */
async function loadContract() {
  vi.resetModules();
  const contract: Readonly<Record<string, unknown>> = await import('@jangada/contract');
  const schemas = new Map<string, Checks>();
  const readers = new Map<string, (answer: unknown) => unknown>();
  for (const [name, value] of Object.entries(contract)) {
    if (isSchema(value)) schemas.set(name, value);
    else if (typeof value === 'function' && name.startsWith('parse'))
      readers.set(name, (answer) => value(answer));
    else if (typeof value === 'object' && value !== null)
      for (const [part, schema] of Object.entries(value))
        if (isSchema(schema)) schemas.set(`${name}.${part}`, schema);
  }
  return { schemas, readers };
}

const withZod = await loadContract();
vi.doMock('zod/mini', () => small);
const withSmall = await loadContract();

const examples: Readonly<Record<string, object>> = JSON.parse(
  readFileSync(new URL('../../../server/src/openapi/recorded-examples.json', import.meta.url), 'utf8'),
);
const valid: unknown[] = [
  ...Object.values(examples).flatMap((example) => Object.values(example)),
  ...Object.values(exampleAnswers),
];

/** Values that schemas tell apart, in the place of one that fits. */
const strange = fc.oneof(
  fc.constantFrom<unknown[]>(
    ...[
      undefined,
      null,
      '',
      ' a ',
      'PAID',
      'cpf',
      'true',
      '12.5',
      '1234',
      '2026-02-29',
      '2028-02-29',
      'a@b.co',
    ],
    ...['2026-11-28T10:00:00Z', '2026-11-28T10:00:00.123-03:00', '2026-11-28T10:00Z', '2026-13-01T00:00:00Z'],
    ...[
      '00000000-0000-0000-0000-000000000000',
      '0199c0de-0000-7000-8000-000000000001',
      '#A1b2c3',
      '2026-11-28\n',
    ],
    ...[
      0,
      -1,
      1.5,
      0.001,
      2 ** 53,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      false,
      [],
      {},
      [null],
      { data: [] },
    ],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

function changedSomewhere(value: unknown, choose: <T>(from: fc.Arbitrary<T>) => T): unknown {
  if (typeof value !== 'object' || value === null || choose(fc.integer({ min: 0, max: 3 })) === 0)
    return choose(strange);
  const keys = Object.keys(value);
  const key = choose(fc.constantFrom(...(keys.length > 0 ? keys : ['0'])));
  if (Array.isArray(value))
    return value.map((item, index) => (`${index}` === key ? changedSomewhere(item, choose) : item));
  const { [key]: old, ...rest } = value as Record<string, unknown>;
  return choose(fc.boolean()) ? { ...rest, [key]: changedSomewhere(old, choose) } : rest;
}

const inputs = fc.tuple(fc.nat(valid.length - 1), fc.nat(2), fc.gen()).map(([index, changes, choose]) => {
  let value: unknown = valid[index];
  for (let change = 0; change < changes; change++)
    value = changedSomewhere(value, (from) => choose(() => from));
  return value;
});

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return { refused: error instanceof Error ? error.name.replace('$', '') : error };
  }
}

function found(schema: Checks | undefined, input: unknown) {
  const { success, data, error } = schema?.safeParse(input) ?? {};
  return { success, data, at: error?.issues[0]?.path.join('.') };
}

test('it reads every answer as Zod does, and refuses the same', () => {
  expect(withSmall.schemas.get('user')).toBeInstanceOf(small.string().constructor);
  expect(withZod.schemas.get('user')).not.toBeInstanceOf(small.string().constructor);
  expect(withSmall.schemas.size).toBeGreaterThan(300);
  expect(withSmall.readers.size).toBeGreaterThan(20);
  fc.assert(
    fc.property(inputs, (input) => {
      for (const [name, schema] of withZod.schemas)
        expect({ name, ...found(withSmall.schemas.get(name), input) }).toStrictEqual({
          name,
          ...found(schema, input),
        });
      for (const [name, read] of withZod.readers)
        expect(
          outcome(() => withSmall.readers.get(name)?.(input)),
          name,
        ).toStrictEqual(outcome(() => read(input)));
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) },
  );
});

const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Ana',
    'ana@loja.com.br',
    '529.982.247-25',
    '12345678901',
    'senha-forte-12',
    'a@b',
    'É',
  ),
  fc.string({ maxLength: 300 }),
);

test('it says the same about what somebody typed', () => {
  const fields = ['name', 'username', 'email', 'password', 'confirmPassword', 'docType', 'document', 'phone'];
  const forms = fc.record(Object.fromEntries(fields.map((field) => [field, texts])));
  const messages = (schema: Checks | undefined, value: unknown) =>
    schema?.safeParse(value).error?.issues.map(({ path, message }) => ({ path, message }));
  fc.assert(
    fc.property(forms, texts, fc.constantFrom('CPF', 'CNPJ'), (form, typed, docType) => {
      for (const name of ['accountName', 'username', 'email', 'newEmail', 'newPassword', 'staffReason'])
        expect(messages(withSmall.schemas.get(name), typed), name).toEqual(
          messages(withZod.schemas.get(name), typed),
        );
      const filled = { ...form, docType };
      expect(messages(withSmall.schemas.get('registrationForm'), filled)).toEqual(
        messages(withZod.schemas.get('registrationForm'), filled),
      );
    }),
  );
});
