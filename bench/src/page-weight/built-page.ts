import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A script or stylesheet that a page requires. */
export type Asset = { readonly path: string; readonly body: Buffer };

/**
 * Returns all JavaScript and CSS files that a built page references or that its scripts import statically, each once.
 * Dynamic imports are left out, since they are loaded on demand.
 */
export function assetsOf(dist: string, page: string): Asset[] {
  const html = readFileSync(join(dist, page), 'utf8');
  const assets = new Map<string, Asset>();
  const pendingPaths = pathsInHtml(html);
  for (let path = pendingPaths.pop(); path !== undefined; path = pendingPaths.pop()) {
    if (assets.has(path)) continue;
    const body = readFileSync(join(dist, path));
    assets.set(path, { path, body });
    if (path.endsWith('.js')) pendingPaths.push(...pathsInScript(path, body.toString()));
  }
  return [...assets.values()];
}

function pathsInHtml(html: string): string[] {
  return [...html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|css))"/g)].flatMap(
    ([, path]) => path ?? [],
  );
}

/**
 * Returns the paths of static imports, as bundlers write them: `import{a}from"./b.js"`, `export*from"./b.js"`,
 * `import"./b.js"`.
 */
function pathsInScript(path: string, script: string): string[] {
  return [...script.matchAll(/\b(?:from|import)\s*["'](\.{0,2}\/[^"']+\.js)["']/g)].map(
    ([, specifier = '']) => posix.resolve('/', posix.dirname(path), specifier),
  );
}
