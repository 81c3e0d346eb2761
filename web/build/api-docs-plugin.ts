import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';
import { valuesPlugin } from './values-plugin.ts';

const PRINT = fileURLToPath(new URL('../src/prerender-docs.tsx', import.meta.url));

/**
 * The API documentation as a module, printed at build time, so that no page has to ship every schema of the contract.
 */
export function apiDocsPlugin(): Plugin {
  return valuesPlugin('virtual:api-docs', async () => {
    const { module } = await runnerImport<typeof import('../src/prerender-docs.tsx')>(PRINT, {
      configFile: false,
    });
    return { printedDocs: module.printForPanel() };
  });
}
