import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';
import { fontOf, scriptOf, stylesheetOf } from './build-apart.ts';
import { valuesPlugin } from './values-plugin.ts';

const WORKER = fileURLToPath(new URL('../src/service-worker/service-worker.ts', import.meta.url));
const PRERENDER = fileURLToPath(new URL('../src/offline/offline-page.tsx', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../src/offline/offline-script.ts', import.meta.url));
const STYLESHEET = fileURLToPath(new URL('../src/theme/offline.css', import.meta.url));
// Devices with push registrations know the worker by this name.
const NAME = 'push-worker.js';

/**
 * Builds the service worker into one file at the root: its scope is the whole site, its URL is the same in every build,
 * and it embeds the offline page.
 */
export function serviceWorkerPlugin(): Plugin {
  let building = false;
  return {
    name: 'jangada-service-worker',
    configResolved(config) {
      building = config.command === 'build';
    },
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_request, response, next) => {
        builtWorker('').then(
          (source) => response.setHeader('content-type', 'text/javascript').end(source),
          next,
        );
      });
    },
    async generateBundle(_options, bundle) {
      if (!building) return;
      const source = await builtWorker(`/${fontOf(bundle)}`);
      this.emitFile({ type: 'asset', fileName: NAME, source });
    },
  };
}

async function builtWorker(font: string): Promise<string> {
  const { html, policy } = await offlinePage(font);
  return await scriptOf(WORKER, 'iife', {
    plugins: [valuesPlugin('virtual:offline-page', { html, policy })],
  });
}

/** The page with its style and script inlined, and a policy that allows only these two, by their hashes. */
async function offlinePage(font: string): Promise<{ html: string; policy: string }> {
  const [{ module }, style, script] = await Promise.all([
    runnerImport<typeof import('../src/offline/offline-page.tsx')>(PRERENDER, { configFile: false }),
    stylesheetOf(STYLESHEET, font),
    scriptOf(SCRIPT, 'iife'),
  ]);
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "font-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html: module.prerenderOffline({ style, script }), policy };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
