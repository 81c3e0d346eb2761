import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenDirectory } from '../test/bank.ts';
import { Journal } from './journal.ts';

async function readAll(path: string): Promise<unknown[]> {
  const values: unknown[] = [];
  const journal = await Journal.open(path, (value) => values.push(value));
  await journal.close();
  return values;
}

test('appended values are replayed in order', async () => {
  const path = join(await givenDirectory(), 'j');
  const journal = await Journal.open(path, () => undefined);
  await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append({ n, text: 'ç\n"' })));
  await journal.close();
  expect(await readAll(path)).toEqual(Array.from({ length: 500 }, (_, n) => ({ n, text: 'ç\n"' })));
});

test('an incomplete last line is cut off, and appending continues after the last complete one', async () => {
  const path = join(await givenDirectory(), 'j');
  await writeFile(path, '[1]\n[2]\n[3,');
  const journal = await Journal.open(path, () => undefined);
  await journal.append([4]);
  await journal.close();
  expect(await readFile(path, 'utf8')).toBe('[1]\n[2]\n[4]\n');
});

test('a broken line in the middle of the journal prevents the start', async () => {
  const path = join(await givenDirectory(), 'j');
  await writeFile(path, '[1]\n[2\n[3]\n');
  await expect(readAll(path)).rejects.toThrow();
});

test('an append is on disk when it resolves, and untilDurable waits for it', async () => {
  const path = join(await givenDirectory(), 'j');
  const journal = await Journal.open(path, () => undefined);
  void journal.append([1]);
  await journal.untilDurable();
  expect(await readFile(path, 'utf8')).toBe('[1]\n');
  await journal.close();
});

test('a rewrite replaces the entire file', async () => {
  const path = join(await givenDirectory(), 'j');
  await appendFile(path, '[1]\n');
  await Journal.rewrite(
    path,
    Array.from({ length: 2500 }, (_, n) => [n]),
  );
  expect(await readAll(path)).toHaveLength(2500);
});
