import { describe, expect, test } from 'vitest';
import { type Import, importsOf, isTest, sources } from './sources.ts';

const imports = sources('', '.ts', '.tsx').flatMap(importsOf);

function show(found: readonly Import[]): string[] {
  return found.map(({ from, named }) => `${from} imports ${named}`);
}

/** What a workspace may import: its own files, and the packages that `allowed` accepts. Its tests may import more. */
function foreign(workspace: string, allowed: RegExp, allowedInTests: RegExp): Import[] {
  return imports.filter(({ from, to, named }) => {
    if (!from.startsWith(`${workspace}/`)) return false;
    // Tests of built pages build them, open them in the tests' browser, and pass on the tests' clock.
    if (isTest(from) && ['tools/build.ts', 'tools/browser.ts', 'tools/test-moment.ts'].includes(to))
      return false;
    if (named.startsWith('.')) return !to.startsWith(`${workspace}/`);
    return !allowed.test(named) && !(isTest(from) && allowedInTests.test(named));
  });
}

describe('imports between workspaces', () => {
  const others = /^(?!@jangada\/)/;

  test('pix imports nothing', () => {
    expect(show(foreign('pix', /^$/, others))).toEqual([]);
  });

  test('contract imports only pix and a schema library', () => {
    expect(show(foreign('contract', /^(@jangada\/pix|zod(\/mini)?)$/, others))).toEqual([]);
  });

  test('the server imports pix and contract; its tests may start the bank, and build the pages', () => {
    const allowed = /^(@jangada\/(pix|contract(\/docs)?)$|(?!@jangada\/))/;
    expect(show(foreign('server', allowed, /^@jangada\/sandbox$/))).toEqual([]);
  });

  test('the bank imports pix, and nothing of the gateway', () => {
    expect(show(foreign('sandbox', /^(@jangada\/pix$|(?!@jangada\/))/, /^$/))).toEqual([]);
  });

  test('the sdk imports no workspace, and only what browsers have, except for its command line', () => {
    const own = imports.filter(({ from }) => from.startsWith('sdk/') && !isTest(from));
    const isCommandLine = ({ from }: Import) => from.startsWith('sdk/src/cli/');
    expect(show(own.filter((one) => !one.to.startsWith('sdk/') && !isCommandLine(one)))).toEqual([]);
    expect(show(own.filter((one) => one.to.startsWith('sdk/src/cli/') && !isCommandLine(one)))).toEqual([]);
    const foreignToIt = own.filter((one) => isCommandLine(one) && !/^(node:|sdk\/src\/)/.test(one.to));
    expect(show(foreignToIt)).toEqual([]);
  });

  test('the web imports pix and contract', () => {
    const allowed = /^(@jangada\/(pix|contract)(\/browser|\/docs)?$|(?!@jangada\/))/;
    expect(show(foreign('web', allowed, /^$/))).toEqual([]);
  });
});

describe('imports between the server’s modules', () => {
  /** Files that every module may import. */
  const ground = ['db', 'http'];
  /** From the bottom up: a module may import from its own row and the rows below it. */
  const rows = [
    [
      'audit',
      'files',
      'guarded-fetch',
      'images',
      'jobs',
      'ledger',
      'mail',
      'notifications',
      'openapi',
      'outbox',
      'reserves',
      'psp',
    ],
    [
      'accounts',
      'api-keys',
      'avatars',
      'bank-watch',
      'checkout',
      'counter-codes',
      'disputes',
      'identity',
      'kyc',
      'payment-links',
      'payments',
      'refunds',
      'reports',
      'statement',
      'webhooks',
      'withdrawals',
    ],
    ['admin', 'backup', 'gateway', 'metrics'],
    ['demo'],
  ];
  const rowOf = (module: string) => rows.findIndex((row) => row.includes(module));
  const moduleOf = (path: string) => /^server\/src\/([a-z-]+)\//.exec(path)?.[1];

  const between = imports.flatMap((one) => {
    const [from, to] = [moduleOf(one.from), moduleOf(one.to)];
    if (from === undefined || to === undefined || from === to || isTest(one.from)) return [];
    return [{ ...one, fromModule: from, toModule: to }];
  });
  const aboveGround = between.filter(
    ({ fromModule, toModule }) => ![fromModule, toModule].some((name) => ground.includes(name)),
  );

  test('every module is in a row', () => {
    const named = sources('server/src', '.ts').flatMap(({ path }) => moduleOf(path) ?? []);
    expect([...new Set(named)].filter((name) => rowOf(name) < 0 && !ground.includes(name))).toEqual([]);
  });

  test('modules import each other only through index.ts', () => {
    expect(show(aboveGround.filter(({ to }) => !to.endsWith('/index.ts')))).toEqual([]);
  });

  test('no module imports one above it, and shared files import none', () => {
    const upwards = aboveGround.filter(({ fromModule, toModule }) => rowOf(fromModule) < rowOf(toModule));
    const fromGround = between.filter(
      ({ fromModule, toModule }) => ground.includes(fromModule) && !ground.includes(toModule),
    );
    expect(show([...upwards, ...fromGround])).toEqual([]);
  });

  test('modules do not import each other in circles', () => {
    const arrows = Map.groupBy(aboveGround, ({ fromModule }) => fromModule);
    const walk = (module: string, path: readonly string[]): string[] => {
      if (path.includes(module)) return [[...path, module].join(' → ')];
      const next = new Set((arrows.get(module) ?? []).map(({ toModule }) => toModule));
      return [...next].flatMap((to) => walk(to, [...path, module]));
    };
    expect([...arrows.keys()].flatMap((module) => walk(module, [])).slice(0, 3)).toEqual([]);
  });
});

test('a feature of the dashboard imports no other feature', () => {
  const featureOf = (path: string) => /^web\/src\/features\/([^/]+)/.exec(path)?.[1];
  const crossing = imports.filter(({ from, to }) => {
    const [own, other] = [featureOf(from), featureOf(to)];
    return own !== undefined && other !== undefined && own !== other;
  });
  expect(show(crossing)).toEqual([]);
});

test('the web’s kit imports no router, no query and no Pix; its tests may pass it the real readers', () => {
  const wrong = imports.filter(
    ({ from, named }) =>
      from.startsWith('web/src/ui/') &&
      !isTest(from) &&
      /^@tanstack\/react-(router|query)|^@jangada\//.test(named),
  );
  expect(show(wrong)).toEqual([]);
});
