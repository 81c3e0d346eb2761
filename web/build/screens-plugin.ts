import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { paths } from '../src/app/paths.ts';

const ROUTES = fileURLToPath(new URL('../src/app/routes.ts', import.meta.url));

type Chunk = Rolldown.OutputChunk;

/**
 * Writes screens.json beside the pages: for each path of a screen, the scripts that the screen needs beyond those that
 * index.html names. The server announces them with the document, so that the browser fetches them at once instead of when
 * the router asks for them.
 */
export function screensPlugin(): Plugin {
  return {
    name: 'jangada-screens',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk');
      const scriptsOf = (chunk: Chunk, found = new Set<string>()): Set<string> => {
        if (found.has(chunk.fileName)) return found;
        found.add(chunk.fileName);
        for (const other of chunks) if (chunk.imports.includes(other.fileName)) scriptsOf(other, found);
        return found;
      };
      const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/index.html'));
      if (entry === undefined) throw new Error('The build has no index.html.');
      const named = scriptsOf(entry);
      const screens = Object.entries(modulesOfScreens()).map(([path, module]) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
        if (chunk === undefined) throw new Error(`The build does not hold ${module}.`);
        const scripts = [...scriptsOf(chunk)].filter((name) => !named.has(name)).map((name) => `/${name}`);
        return [path, scripts] as const;
      });
      const source = `${JSON.stringify(Object.fromEntries(screens), null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'screens.json', source });
    },
  };
}

/** The module of each screen's page, by the screen's path, as the table of routes names them. */
function modulesOfScreens(): Record<string, string> {
  const [, ...routes] = readFileSync(ROUTES, 'utf8').split('\n  [paths.');
  const modules = routes.map((source) => {
    const name = /^\w+/.exec(source)?.[0];
    const module = /import\('([^']+)'\)/.exec(source)?.[1];
    const path = new Map<string | undefined, string>(Object.entries(paths)).get(name);
    if (path === undefined || module === undefined)
      throw new Error(`The route of ${name} was not understood.`);
    return [path, resolve(ROUTES, '..', module)];
  });
  return Object.fromEntries(modules);
}
