import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const replacement = fileURLToPath(new URL('../src/app/router-store.ts', import.meta.url));

/**
 * The router's hooks read its state by `useSelector` of a file of ours, so that screens change in transitions.
 *
 * Vite keeps the router as it prepared it once, that file in it, and prepares it anew when the name of a plugin is another.
 */
export function routerStorePlugin(): Plugin {
  return {
    name: `router-store-${hash('sha256', readFileSync(replacement)).slice(0, 12)}`,
    config: () => ({ resolve: { alias: [{ find: /^@tanstack\/react-store$/, replacement }] } }),
  };
}
