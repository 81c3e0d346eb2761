import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

const NAME = 'virtual:api-docs';
const RESOLVED = `\0${NAME}`;
const DOCS = fileURLToPath(new URL('../../contract/src/docs/index.ts', import.meta.url));

type Docs = typeof import('@jangada/contract/docs');

/**
 * The API's documentation as a module, printed when the dashboard is built: no page carries every schema of the
 * contract to print it.
 */
export function apiDocsPlugin(): Plugin {
  return {
    name: 'jangada-api-docs',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined;
      const { module } = await runnerImport<Docs>(DOCS, { configFile: false });
      const { printDocs, unfilled } = module;
      const printed = { sections: JSON.stringify(printDocs(unfilled)), ...unfilled };
      return `export const printedDocs = ${JSON.stringify(printed)};`;
    },
  };
}
