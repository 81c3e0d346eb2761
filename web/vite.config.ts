import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { apiDocsPlugin } from './build/api-docs-plugin.ts';
import { checkoutPlugin } from './build/checkout-plugin.ts';
import { cspPlugin } from './build/csp-plugin.ts';
import { htmlPlugin } from './build/html-plugin.ts';
import { precompressPlugin } from './build/precompress-plugin.ts';
import { reportPlugin } from './build/report-plugin.ts';
import { screensPlugin } from './build/screens-plugin.ts';
import { serviceWorkerPlugin } from './build/service-worker-plugin.ts';
import { stripContractPlugin } from './build/strip-contract-plugin.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const gateway = 'http://127.0.0.1:3000';

// Few files: on a slow line each costs a round trip, and few are fetched at once. React changes seldom, so it stays apart. Each
// other takes along what it imports and none above it has: what the sign-in draws, what calls the gateway and reads its
// answers, fields with a mask, the other parts that the registration shares with the app, the app's frame, and what several screens share.
const chunks = [
  // The checks of requests for charges, and held Pix: the app's imports name these modules, and few screens use them.
  {
    name: 'requests',
    test: /contract\/src\/(?:new-payment|due-terms|payer-rules)\.ts$/,
    entriesAware: true,
    includeDependenciesRecursively: false,
  },
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/ },
  { name: 'entrance', test: /src\/app\/(?:hydrate-page|login-page)\.tsx$/ },
  { name: 'session', test: /src\/session\/sign-in\.ts$/ },
  { name: 'mask', test: /src\/(?:ui\/masked-field\.tsx|format\/document-mask\.ts)$/ },
  { name: 'parts', test: /src\/ui\/(?:dialog|segmented-control|facts)\.tsx$/ },
  { name: 'app', test: /src\/app\/start-app\.tsx$/ },
  { name: 'pin', test: /src\/(?:ui\/pin-field\.tsx|panel\/pin\/pin-rules\.ts|session\/pin-status\.ts)$/ },
  // Without what reads Pix keys, approvals and second factors, which the first screens do not do.
  {
    name: 'kit',
    test: /\/(?:src\/(?:ui|panel(?!\/(?:pix-key|approvals|factor))|format)|lucide-react)\//,
    minShareCount: 5,
  },
].map((chunk, index, { length }) => ({ ...chunk, priority: length - index }));

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, root, 'VITE_');
  return {
    root,
    resolve: { alias: { 'zod/mini': `${root}src/api/zod-mini.ts` } },
    define: { JANGADA_VERSION: JSON.stringify(version) },
    plugins: [
      react(),
      tailwindcss(),
      stripContractPlugin(),
      htmlPlugin(env['VITE_API_URL']),
      apiDocsPlugin(),
      cspPlugin([env['VITE_API_URL'], env['VITE_WS_URL']]),
      serviceWorkerPlugin(),
      checkoutPlugin(),
      screensPlugin(),
      precompressPlugin(),
      process.env['BUILD_REPORT'] ? reportPlugin(process.env['BUILD_REPORT']) : undefined,
    ],
    build: {
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index.html', 'login.html', 'register.html', 'docs.html'],
        output: {
          codeSplitting: { groups: chunks },
          // The first scripts name all others, so short names and hashes save bytes; the names of shared ones would
          // list who shares them.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
        },
      },
    },
    // Tests reach no gateway, whatever runs on this machine.
    server: process.env['VITEST'] ? {} : { proxy: { '^/api/': { target: gateway, ws: true } } },
  };
});
