import { expect, test } from 'vitest';
import { importsOf, isTest, type Source, sources } from './sources.ts';

const all = sources('', '.ts', '.tsx', '.mjs', '.html', '.json').filter(
  ({ path }) => !path.endsWith('package-lock.json'),
);
const code = all.filter(({ path }) => /\.tsx?$/.test(path));
const imported = new Set(code.flatMap(importsOf).map(({ to }) => to));

/** Entry files, which are not imported: packages' public modules, scripts, pages, commands of tools/. */
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

test('every file is imported, started or a test', () => {
  const dead = code.filter((file) => !imported.has(file.path) && !isEntry(file));
  expect(dead.map(({ path }) => path)).toEqual([]);
});

/** The page on money movements describes them all, including those not in use yet. */
const documentedAhead = ['server/src/ledger/movements.ts'];

test('every exported value is used', () => {
  const declaration = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class) ([A-Za-z_$][\w$]*)/gm;
  // A re-export is no use, except in packages for others, whose index is their public API.
  const isPromise = (path: string) => /^(pix|contract|sandbox|sdk)\/.*\/index\.ts$/.test(path);
  const passedOn = /^export (?:type )?\{[^}]*\} from '[^']*';$/gm;
  const uses = new Map<string, number>();
  for (const { path, text } of code)
    for (const word of (isPromise(path) ? text : text.replace(passedOn, '')).match(/[A-Za-z_$][\w$]*/g) ?? [])
      uses.set(word, (uses.get(word) ?? 0) + 1);
  const dead = code
    .filter(({ path }) => !isTest(path) && !path.endsWith('.config.ts') && !documentedAhead.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].flatMap(([, name = '']) =>
        (uses.get(name) ?? 0) > 1 ? [] : [`${path}: ${name}`],
      ),
    );
  expect(dead).toEqual([]);
});

/** Programs that are started by path (`tools/check.ts`). */
const programs = ['@biomejs/biome', 'typescript'];

test('every package that a workspace depends on is used in it', () => {
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

/** Whether a file imports a package; a types package counts as used with the package it describes. */
function names({ text }: Source, name: string): boolean {
  const described = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
  if (described === 'node') return text.includes("'node:");
  return ["'", '"'].some((quote) => [quote, '/'].some((after) => text.includes(quote + described + after)));
}
