import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import sealed from './sealed-migrations.json' with { type: 'json' };
import { isTest, linesMatching, readSources } from './sources.ts';

const code = readSources('', '.ts', '.tsx', '.mjs');
const product = code.filter(({ path }) => !isTest(path) && !path.startsWith('tools/'));
/** The path of this file, which contains the patterns that it forbids. */
const thisFile = 'tools/tidy.test.ts';

describe('code', () => {
  test('stays in files that fit on a few screens', () => {
    // Tests list more cases than rules, and printed texts are as long as they need to be.
    const limit = (path: string) => (isTest(path) ? 620 : 450);
    const printed = ['server/src/db/schema.ts', 'sdk/src/contract.ts'];
    const long = code.filter(({ path, text }) => text.split('\n').length > limit(path));
    expect(long.filter(({ path }) => !printed.includes(path)).map(({ path }) => path)).toEqual([]);
  });

  test('does not bypass the type check', () => {
    const bypasses = linesMatching(code, /\bas any\b|@ts-(ignore|expect-error|nocheck)/);
    expect(bypasses.filter((line) => !line.startsWith(thisFile))).toEqual([]);
    expect(linesMatching(product, /\bas unknown as\b/)).toEqual([]);
  });

  test('holds no notes of unfinished work', () => {
    const notes = linesMatching(code, /(\/\/|\*|<!--).*\b(TODO|FIXME|XXX|HACK)\b/);
    expect(notes.filter((line) => !line.startsWith(thisFile))).toEqual([]);
  });
});

describe('tests', () => {
  test('are never skipped, narrowed or left for later', () => {
    const skips = linesMatching(
      code,
      /\b(test|it|describe)\.(skip|only|todo|fails|skipIf|runIf)\b|\b(xit|fit|xtest)\(/,
    );
    expect(skips.filter((line) => !line.startsWith(thisFile))).toEqual([]);
  });

  test('are where the test command finds them', () => {
    const looksLikeTest = code
      .filter(({ path }) => /\.(test|spec|e2e)\.[a-z]+$/.test(path))
      .map(({ path }) => path);
    const testPatterns = [
      /^(pix|contract|tools|web)\/.*\.test\.ts$/,
      /^(server|sandbox|sdk|bench)\/.*\.test\.ts$/,
      /^web\/src\/.*\.browser\.test\.tsx?$/,
      /^(e2e|bench)\/.*\.e2e\.ts$/,
    ];
    expect(looksLikeTest.filter((path) => !testPatterns.some((pattern) => pattern.test(path)))).toEqual([]);
  });
});

describe('money', () => {
  test('never passes through floating point outside of contract and pix', () => {
    const elsewhere = product.filter(({ path }) => !/^(contract|pix)\//.test(path));
    const floatReading = /\bparseFloat\(|\.toFixed\(|\bNumber\([^)]*(cents|amount|valor|balance|reais)/i;
    expect(linesMatching(elsewhere, floatReading)).toEqual([]);
  });
});

describe('time', () => {
  test('of the server’s rules comes from the injected clock', () => {
    // Infrastructure (connections, throttles, timers) measures the machine's time, which is not business time.
    const rules = product.filter(({ path }) => /^server\/src\/(?!clock\.ts|db\/|http\/|jobs\/)/.test(path));
    expect(linesMatching(rules, /\bDate\.now\(\)|\bnew Date\(\)|\bsql`[^`]*\bnow\(\)/)).toEqual([]);
  });
});

describe('migrations', () => {
  const files = readSources('server/migrations', '.sql').filter(({ path }) => /\/\d{4}_/.test(path));

  test('that were sealed do not change, and new ones must be sealed (node tools/run.mjs tools/seal-migrations.ts)', () => {
    const checksums = files.map(({ path, text }) => [path, createHash('sha256').update(text).digest('hex')]);
    expect(Object.fromEntries(checksums)).toEqual(z.record(z.string(), z.string()).parse(sealed));
  });

  test('that a document or a comment mentions exist', () => {
    const names = new Set(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1, -'.sql'.length)));
    const texts = readSources('', '.ts', '.tsx', '.mjs', '.md', '.sql', '.sh', '.yml', '.json');
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\b\d{4}_[a-z]\w*|`(00\d\d)`|\bmigrations? (00\d\d)\b/g)].map(
        ([whole, ...numbers]) => ({ path, name: numbers.find((number) => number !== undefined) ?? whole }),
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    const exists = (name: string) =>
      [...names].some((migration) => migration === name || migration.slice(0, 4) === name);
    expect(named.filter(({ name }) => !exists(name))).toEqual([]);
  });

  test('are numbered without a gap', () => {
    const numbers = files.map(({ path }) => Number(/\/(\d{4})_/.exec(path)?.[1])).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe('the repository', () => {
  test('names no directory of the machine it was written on', () => {
    const texts = readSources(
      '',
      '.ts',
      '.tsx',
      '.mjs',
      '.md',
      '.json',
      '.sql',
      '.css',
      '.html',
      '.svg',
      '.yml',
      '.sh',
    );
    const homePaths = /(^|[\s"'`(=:])\/(work|root|home|Users)\/[A-Za-z]/;
    expect(linesMatching(texts, homePaths).filter((line) => !line.startsWith(thisFile))).toEqual([]);
  });

  test('names no package registry in its lock file', () => {
    const [lock] = readSources('', 'package-lock.json');
    expect(lock?.text).toBeDefined();
    expect(lock?.text).not.toContain('"resolved": "http');
  });
});
