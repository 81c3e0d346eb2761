import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A script or stylesheet that a page requires. */
export type Asset = { readonly path: string; readonly body: Buffer };

/**
 * All JavaScript and CSS that a built page references or its scripts import statically, each once. Dynamic imports are
 * left out, since they are loaded on demand.
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

/** As written by bundlers: `import{a}from"./b.js"`, `export*from"./b.js"`, `import"./b.js"`. */
function importedBy(path: string, script: string): string[] {
  return [...script.matchAll(/\b(?:from|import)\s*["'](\.{0,2}\/[^"']+\.js)["']/g)].map(([, named = '']) =>
    posix.resolve('/', posix.dirname(path), named),
  );
}
