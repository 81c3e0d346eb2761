import { describe, expect, test } from 'vitest';
import { type Import, importsOf, isTest, readSources } from './sources.ts';

const imports = readSources('', '.ts', '.tsx').flatMap(importsOf);

/** Describes imports as readable lines, for the message of a failing test. */
function describeImports(list: readonly Import[]): string[] {
  return list.map(({ from, specifier }) => `${from} imports ${specifier}`);
}

/**
 * Returns the forbidden imports of a workspace. A workspace may import its own files and the packages that `allowed`
 * matches, and its tests also the packages that `allowedInTests` matches.
 */
function forbiddenImports(workspace: string, allowed: RegExp, allowedInTests: RegExp): Import[] {
  return imports.filter(({ from, to, specifier }) => {
    if (!from.startsWith(`${workspace}/`)) return false;
    // Tests of built pages build the pages, open them in the tests' browser, and pass the tests' clock on.
    if (isTest(from) && ['tools/build.ts', 'tools/browser.ts', 'tools/test-moment.ts'].includes(to))
      return false;
    if (specifier.startsWith('.')) return !to.startsWith(`${workspace}/`);
    return !allowed.test(specifier) && !(isTest(from) && allowedInTests.test(specifier));
  });
}

describe('imports between workspaces', () => {
  /** Packages that are no workspace of this repository. */
  const externalPackages = /^(?!@jangada\/)/;

  test('pix imports nothing', () => {
    expect(describeImports(forbiddenImports('pix', /^$/, externalPackages))).toEqual([]);
  });

  test('contract imports only pix and a schema library', () => {
    expect(
      describeImports(forbiddenImports('contract', /^(@jangada\/pix|zod(\/mini)?)$/, externalPackages)),
    ).toEqual([]);
  });

  test('the server imports pix and contract; its tests may start the bank, and build the pages', () => {
    const allowed = /^(@jangada\/(pix|contract(\/docs)?)$|(?!@jangada\/))/;
    expect(describeImports(forbiddenImports('server', allowed, /^@jangada\/sandbox$/))).toEqual([]);
  });

  test('the bank imports pix, and nothing of the gateway', () => {
    expect(describeImports(forbiddenImports('sandbox', /^(@jangada\/pix$|(?!@jangada\/))/, /^$/))).toEqual(
      [],
    );
  });

  test('the sdk imports no workspace, and only what browsers have, except for its command line', () => {
    const sdkImports = imports.filter(({ from }) => from.startsWith('sdk/') && !isTest(from));
    const isCommandLine = ({ from }: Import) => from.startsWith('sdk/src/cli/');
    expect(
      describeImports(sdkImports.filter((edge) => !edge.to.startsWith('sdk/') && !isCommandLine(edge))),
    ).toEqual([]);
    expect(
      describeImports(
        sdkImports.filter((edge) => edge.to.startsWith('sdk/src/cli/') && !isCommandLine(edge)),
      ),
    ).toEqual([]);
    const ofCommandLine = sdkImports.filter(
      (edge) => isCommandLine(edge) && !/^(node:|sdk\/src\/)/.test(edge.to),
    );
    expect(describeImports(ofCommandLine)).toEqual([]);
  });

  test('the web imports pix and contract', () => {
    const allowed = /^(@jangada\/(pix|contract)(\/browser|\/docs)?$|(?!@jangada\/))/;
    expect(describeImports(forbiddenImports('web', allowed, /^$/))).toEqual([]);
  });
});

describe('imports between the server’s modules', () => {
  /** Modules that every module may import. */
  const sharedModules = ['db', 'http'];
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
      'approvals',
      'avatars',
      'bank-watch',
      'charge-batches',
      'checkout',
      'connections',
      'counter-codes',
      'customer-charges',
      'customers',
      'disputes',
      'fee-statements',
      'handover',
      'identity',
      'kyc',
      'members',
      'payment-links',
      'payments',
      'refunds',
      'reminders',
      'reports',
      'statement',
      'subscriptions',
      'support-access',
      'webhooks',
      'withdrawals',
    ],
    ['admin', 'backup', 'gateway', 'manage-connections', 'metrics'],
    ['demo'],
  ];
  const rowOf = (module: string) => rows.findIndex((row) => row.includes(module));
  const moduleOf = (path: string) => /^server\/src\/([a-z-]+)\//.exec(path)?.[1];

  const betweenModules = imports.flatMap((edge) => {
    const [from, to] = [moduleOf(edge.from), moduleOf(edge.to)];
    if (from === undefined || to === undefined || from === to || isTest(edge.from)) return [];
    return [{ ...edge, fromModule: from, toModule: to }];
  });
  const betweenOwnModules = betweenModules.filter(
    ({ fromModule, toModule }) => ![fromModule, toModule].some((name) => sharedModules.includes(name)),
  );

  test('every module is in a row', () => {
    const modules = readSources('server/src', '.ts').flatMap(({ path }) => moduleOf(path) ?? []);
    expect([...new Set(modules)].filter((name) => rowOf(name) < 0 && !sharedModules.includes(name))).toEqual(
      [],
    );
  });

  test('modules import each other only through index.ts', () => {
    expect(describeImports(betweenOwnModules.filter(({ to }) => !to.endsWith('/index.ts')))).toEqual([]);
  });

  test('no module imports a module in a row above its own, and shared modules import no other module', () => {
    const upwards = betweenOwnModules.filter(
      ({ fromModule, toModule }) => rowOf(fromModule) < rowOf(toModule),
    );
    const fromShared = betweenModules.filter(
      ({ fromModule, toModule }) => sharedModules.includes(fromModule) && !sharedModules.includes(toModule),
    );
    expect(describeImports([...upwards, ...fromShared])).toEqual([]);
  });

  test('modules do not import each other in circles', () => {
    const importsByModule = Map.groupBy(betweenOwnModules, ({ fromModule }) => fromModule);
    const findCircles = (module: string, path: readonly string[]): string[] => {
      if (path.includes(module)) return [[...path, module].join(' → ')];
      const imported = new Set((importsByModule.get(module) ?? []).map(({ toModule }) => toModule));
      return [...imported].flatMap((to) => findCircles(to, [...path, module]));
    };
    expect([...importsByModule.keys()].flatMap((module) => findCircles(module, [])).slice(0, 3)).toEqual([]);
  });
});

test('a feature of the dashboard imports no other feature', () => {
  const featureOf = (path: string) => /^web\/src\/features\/([^/]+)/.exec(path)?.[1];
  const crossing = imports.filter(({ from, to }) => {
    const [importing, imported] = [featureOf(from), featureOf(to)];
    return importing !== undefined && imported !== undefined && importing !== imported;
  });
  expect(describeImports(crossing)).toEqual([]);
});

test('the web’s kit imports no router, no query library and no other workspace, except in its tests', () => {
  const wrong = imports.filter(
    ({ from, specifier }) =>
      from.startsWith('web/src/ui/') &&
      !isTest(from) &&
      /^@tanstack\/react-query|^@jangada\/|\/navigation\//.test(specifier),
  );
  expect(describeImports(wrong)).toEqual([]);
});
