import { expect, test } from 'vitest';
import { importsOf, isTest, type Source, sources } from './sources.ts';

const all = sources('', '.ts', '.tsx', '.mjs', '.html', '.json').filter(
  ({ path }) => !path.endsWith('package-lock.json'),
);
const code = all.filter(({ path }) => /\.tsx?$/.test(path));
const imported = new Set(code.flatMap(importsOf).map(({ to }) => to));

/** Files that something other than an import begins with: a package's face, a script, a page, a command of tools/. */
function isEntry({ path, text }: Source): boolean {
  if (isTest(path) || /\.config\.ts$|\.d\.ts$/.test(path)) return true;
  if (text.includes(`node tools/run.mjs ${path}`)) return true;
  const names = [path, path.replace(/^[a-z]+\//, '/'), path.replace(/^[a-z]+\//, './')];
  const starters = all.filter(
    (file) =>
      !/(?<!\.config)\.tsx?$/.test(file.path) || (file.path.startsWith('tools/') && file.path !== path),
  );
  return starters.some((file) => names.some((name) => mentions(file, name)));
}

function mentions({ text }: Source, name: string): boolean {
  return ["'", '"', ' '].some((before) =>
    ["'", '"', ' ', '?'].some((after) => text.includes(before + name + after)),
  );
}

test('every file is used: imported, started or tested', () => {
  const dead = code.filter((file) => !imported.has(file.path) && !isEntry(file));
  expect(dead.map(({ path }) => path)).toEqual([]);
});

/** The whole money story stands on one page, told before all of it is used. */
const toldAhead = ['server/src/ledger/movements.ts'];

test('every exported value is used', () => {
  const declaration = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class) ([A-Za-z_$][\w$]*)/gm;
  // Passing on is not using, but for the packages that others install: their index is their promise.
  const isPromise = (path: string) => /^(pix|contract|sandbox|sdk)\/.*\/index\.ts$/.test(path);
  const passedOn = /^export (?:type )?\{[^}]*\} from '[^']*';$/gm;
  const uses = new Map<string, number>();
  for (const { path, text } of code)
    for (const word of (isPromise(path) ? text : text.replace(passedOn, '')).match(/[A-Za-z_$][\w$]*/g) ?? [])
      uses.set(word, (uses.get(word) ?? 0) + 1);
  const dead = code
    .filter(({ path }) => !isTest(path) && !path.endsWith('.config.ts') && !toldAhead.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].flatMap(([, name = '']) =>
        (uses.get(name) ?? 0) > 1 ? [] : [`${path}: ${name}`],
      ),
    );
  expect(dead).toEqual([]);
});

/** Programs that are started by their own names (`tools/check.ts`). */
const programs = ['@biomejs/biome', 'typescript'];

test('every package that a workspace depends on is used by it', () => {
  const users = [...all.filter(({ path }) => !path.endsWith('/package.json')), ...sources('', '.css')];
  const unused = all
    .filter(({ path }) => /^([a-z0-9]+\/)?package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const folder = path.slice(0, -'package.json'.length);
      const near = users.filter((file) => file.path.startsWith(folder) || !file.path.includes('/'));
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text);
      return Object.keys({ ...dependencies, ...devDependencies })
        .filter((name) => !programs.includes(name) && !near.some((file) => names(file, name)))
        .map((name) => `${path}: ${name}`);
    });
  expect(unused).toEqual([]);
});

/** Whether a file imports a package; types are used where what they describe is. */
function names({ text }: Source, name: string): boolean {
  const described = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
  if (described === 'node') return text.includes("'node:");
  return ["'", '"'].some((quote) => [quote, '/'].some((after) => text.includes(quote + described + after)));
}
