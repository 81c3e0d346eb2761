import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { jsonLines, numberArray, textArray } from './arrays.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Returns the elements of an array or set as PostgreSQL reads them, in order. */
async function readElements(set: string, parameter: string): Promise<unknown[]> {
  const { rows } = await client.query<{ value: unknown }>(`select value from ${set} value`, [parameter]);
  return rows.map(({ value }) => value);
}

/** Texts with a meaning in array literals, in SQL or in JSON. */
const hostile = [
  '"',
  '\\',
  '\\"',
  ',',
  '{',
  '}',
  '{}',
  'NULL',
  'null',
  '',
  ' ',
  ' a ',
  '\n',
  '\r\n',
  '\t',
  "'",
  '$1',
  '\u2028',
  'ção 🛶',
];
// PostgreSQL texts cannot contain NUL, and UTF-8 cannot encode half a surrogate pair.
const text = fc
  .oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...hostile)).map((all) => all.join('')),
  )
  .filter((value) => !value.includes('\0') && value.isWellFormed());

test('texts are passed unchanged, whatever they contain, and null', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
      expect(await readElements('unnest($1::text[])', textArray(values))).toEqual(values);
    }),
    { numRuns: 300, examples: [[hostile], [[null, '', null]], [[]]] },
  );
});

test('integers are passed unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.maxSafeInteger()), async (values) => {
      expect((await readElements('unnest($1::bigint[])', numberArray(values))).map(Number)).toEqual(
        values.map((value) => value + 0),
      );
    }),
  );
});

test('a value that is not an integer is refused, and never split in two', async () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1.5])
    await expect(readElements('unnest($1::bigint[])', numberArray([1, value]))).rejects.toThrow(
      'invalid input syntax',
    );
});

test('JSON values are passed as one row each, whatever they contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(text, text), { minLength: 1 }), async (values) => {
      const rows = await readElements("string_to_table($1, E'\\n')", jsonLines(values));
      // Compared as texts: object comparison ignores keys like __proto__.
      expect(rows).toEqual(values.map((value) => JSON.stringify(value)));
    }),
  );
});
