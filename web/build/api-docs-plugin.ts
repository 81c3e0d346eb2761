import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

const NAME = 'virtual:api-docs';
const RESOLVED = `\0${NAME}`;
const PRINT = fileURLToPath(new URL('../src/print-docs.ts', import.meta.url));

type Print = typeof import('../src/print-docs.ts');

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
      const { module } = await runnerImport<Print>(PRINT, { configFile: false });
      return `export const printedDocs = ${JSON.stringify(module.printForPanel())};`;
    },
  };
}
