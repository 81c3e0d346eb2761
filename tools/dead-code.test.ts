import { expect, test } from 'vitest';
import { importsOf, isTest, readSources, type Source } from './sources.ts';

const files = readSources('', '.ts', '.tsx', '.mjs', '.html', '.json').filter(
  ({ path }) => !path.endsWith('package-lock.json'),
);
const code = files.filter(({ path }) => /\.tsx?$/.test(path));
const imported = new Set(code.flatMap(importsOf).map(({ to }) => to));

/** Whether a file is started or read by name instead of imported: a test, configuration, package entry, script or page. */
function isEntry({ path, text }: Source): boolean {
  if (isTest(path) || /\.config\.ts$|\.d\.ts$/.test(path)) return true;
  if (text.includes(`node tools/run.mjs ${path}`)) return true;
  const names = [path, path.replace(/^[a-z]+\//, '/'), path.replace(/^[a-z]+\//, './')];
  const possibleStarters = files.filter(
    (file) =>
      !/(?<!\.config)\.tsx?$/.test(file.path) || (file.path.startsWith('tools/') && file.path !== path),
  );
  return possibleStarters.some((file) => names.some((name) => mentions(file, name)));
}

/** Whether a file contains the name as a whole word or string. */
function mentions({ text }: Source, name: string): boolean {
  return ["'", '"', ' '].some((before) =>
    ["'", '"', ' ', '?'].some((after) => text.includes(before + name + after)),
  );
}

test('every file is imported, started or a test', () => {
  const dead = code.filter((file) => !imported.has(file.path) && !isEntry(file));
  expect(dead.map(({ path }) => path)).toEqual([]);
});

/** Files whose exports may be unused, because the documentation describes all of them. */
const documentedAhead = ['server/src/ledger/movements.ts'];

test('every exported value is used', () => {
  const declaration = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class) ([A-Za-z_$][\w$]*)/gm;
  // A re-export does not count as a use, except in the index of a package, which is its public API.
  const isPublicApi = (path: string) => /^(pix|contract|sandbox|sdk)\/.*\/index\.ts$/.test(path);
  const reExport = /^export (?:type )?\{[^}]*\} from '[^']*';$/gm;
  const uses = new Map<string, number>();
  for (const { path, text } of code)
    for (const word of (isPublicApi(path) ? text : text.replace(reExport, '')).match(/[A-Za-z_$][\w$]*/g) ??
      [])
      uses.set(word, (uses.get(word) ?? 0) + 1);
  const unused = code
    .filter(({ path }) => !isTest(path) && !path.endsWith('.config.ts') && !documentedAhead.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].flatMap(([, name = '']) =>
        (uses.get(name) ?? 0) > 1 ? [] : [`${path}: ${name}`],
      ),
    );
  expect(unused).toEqual([]);
});

/** Packages that no file imports, because `tools/check.ts` starts their programs by path. */
const programs = ['@biomejs/biome', 'typescript'];

test('every package that a workspace depends on is used in it', () => {
  const users = [...files.filter(({ path }) => !path.endsWith('/package.json')), ...readSources('', '.css')];
  const unused = files
    .filter(({ path }) => /^([a-z0-9]+\/)?package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const folder = path.slice(0, -'package.json'.length);
      const candidates = users.filter((file) => file.path.startsWith(folder) || !file.path.includes('/'));
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text);
      return Object.keys({ ...dependencies, ...devDependencies })
        .filter((name) => !programs.includes(name) && !candidates.some((file) => importsPackage(file, name)))
        .map((name) => `${path}: ${name}`);
    });
  expect(unused).toEqual([]);
});

/** Whether a file imports a package. A package of types counts as imported where the package that it describes is. */
function importsPackage({ text }: Source, name: string): boolean {
  const described = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
  if (described === 'node') return text.includes("'node:");
  return ["'", '"'].some((quote) => [quote, '/'].some((after) => text.includes(quote + described + after)));
}
