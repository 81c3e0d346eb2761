import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const replacement = fileURLToPath(new URL('../src/app/router-store.ts', import.meta.url));

/**
 * Makes the router's hooks read their state through our own `useSelector`, so that screens change in transitions. Vite
 * caches the prebundled router with this file in it; it is rebundled only when the name of a plugin changes.
 */
export function routerStorePlugin(): Plugin {
  return {
    name: `router-store-${hash('sha256', readFileSync(replacement)).slice(0, 12)}`,
    config: () => ({ resolve: { alias: [{ find: /^@tanstack\/react-store$/, replacement }] } }),
  };
}
