import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A script or stylesheet that a page cannot do without. */
export type Asset = { readonly path: string; readonly body: Buffer };

/**
 * Everything of JavaScript and CSS that a built page names and that its scripts import statically, each once. What a
 * script imports with `import()` is left out: it is loaded when somebody needs it.
 */
export function assetsOf(dist: string, page: string): Asset[] {
  const html = readFileSync(join(dist, page), 'utf8');
  const found = new Map<string, Asset>();
  const open = namedBy(html);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    const body = readFileSync(join(dist, path));
    found.set(path, { path, body });
    if (path.endsWith('.js')) open.push(...importedBy(path, body.toString()));
  }
  return [...found.values()];
}

function namedBy(html: string): string[] {
  return [...html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|css))"/g)].flatMap(
    ([, path]) => path ?? [],
  );
}

/** As bundlers write it: `import{a}from"./b.js"`, `export*from"./b.js"`, `import"./b.js"`. */
function importedBy(path: string, script: string): string[] {
  return [...script.matchAll(/\b(?:from|import)\s*["'](\.{0,2}\/[^"']+\.js)["']/g)].map(([, named = '']) =>
    posix.resolve('/', posix.dirname(path), named),
  );
}
