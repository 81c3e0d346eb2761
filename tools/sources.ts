import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const excludedFolders = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage']);

/** A text file of the repository, by its path from the root, with forward slashes. */
export type Source = { readonly path: string; readonly text: string };

/**
 * An import in the file `from`. `specifier` is the text in the import. `to` is the path of the imported file, or the
 * specifier again if it names a package.
 */
export type Import = { readonly from: string; readonly to: string; readonly specifier: string };

/** Reads all files below a folder ('' for the whole repository) whose names end with one of the endings. */
export function readSources(folder: string, ...endings: readonly string[]): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return excludedFolders.has(entry.name) ? [] : readSources(path, ...endings);
    if (!endings.some((ending) => path.endsWith(ending))) return [];
    return [{ path, text: readFileSync(join(root, path), 'utf8') }];
  });
}

/** Whether a file is a test or a helper of tests. Benchmarks count as tests. */
export const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$|\/test\/|^e2e\/|^bench\//.test(path);

/**
 * Returns the imports of a TypeScript file, including `import type`, re-exports, and `import()` and `new URL()` of a
 * literal.
 */
export function importsOf({ path, text }: Source): Import[] {
  const statements = text.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  const urls = text.matchAll(/\bnew URL\(\s*'([^']+\.tsx?)',\s*import\.meta\.url/g);
  return [...statements, ...calls, ...urls].map((match) => {
    const specifier = match[1] ?? match[2] ?? '';
    const isRelative = specifier.startsWith('.');
    const to = isRelative ? normalize(join(dirname(path), specifier)).replaceAll('\\', '/') : specifier;
    return { from: path, to, specifier };
  });
}

/** Returns the lines that match a pattern, as `path:line: text`, for the message of a failing test. */
export function linesMatching(files: readonly Source[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}
