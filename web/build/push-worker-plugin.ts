import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('../src/push-worker/push-worker.ts', import.meta.url));
const NAME = 'push-worker.js';

/**
 * Builds the service worker into one file of its own at the root: it reaches the whole site, keeps its address from build
 * to build, and shares no file with the pages.
 */
export function pushWorkerPlugin(): Plugin {
  let building = false;
  return {
    name: 'jangada-push-worker',
    configResolved(config) {
      building = config.command === 'build';
    },
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_request, response, next) => {
        built().then((source) => response.setHeader('content-type', 'text/javascript').end(source), next);
      });
    },
    async generateBundle() {
      if (building) this.emitFile({ type: 'asset', fileName: NAME, source: await built() });
    },
  };
}

async function built(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: WORKER, output: { format: 'iife', entryFileNames: NAME } },
    },
  });
  const outputs = Array.isArray(result) ? result : 'output' in result ? [result] : [];
  const [file] = outputs.flatMap(({ output }) => output);
  if (file?.type !== 'chunk') throw new Error('The service worker was not built.');
  return file.code;
}
