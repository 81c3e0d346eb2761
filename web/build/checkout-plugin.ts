import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';

const RENDERER = fileURLToPath(new URL('../src/checkout/render-page.tsx', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../src/checkout/script/main.ts', import.meta.url));
const STYLESHEET = fileURLToPath(new URL('../src/theme/checkout.css', import.meta.url));
const FILES = 'virtual:checkout-files';

/** What the renderer writes into each page. */
type Files = { readonly stylesheet: string; readonly script: string; readonly font: string };

/**
 * Builds the pages that payers see: `checkout/render.js`, which the gateway loads and which carries their stylesheet, and one
 * small script for browsers, apart from the dashboard's.
 */
export function checkoutPlugin(): Plugin {
  return {
    name: 'jangada-checkout',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const font = Object.keys(bundle).find((name) => name.endsWith('.woff2'));
      if (font === undefined) throw new Error("The payers' pages need the font.");
      const [stylesheet, source] = await Promise.all([builtStylesheet(font), builtScript()]);
      const script = this.getFileName(this.emitFile({ type: 'asset', name: 'checkout.js', source }));
      const renderer = await builtRenderer({ stylesheet, script, font });
      this.emitFile({ type: 'asset', fileName: 'checkout/render.js', source: renderer });
    },
  };
}

async function builtStylesheet(font: string): Promise<string> {
  const files = await built({ plugins: [tailwindcss()], build: { rolldownOptions: { input: STYLESHEET } } });
  const css = files.find(({ fileName }) => fileName.endsWith('.css'));
  if (css?.type !== 'asset') throw new Error("The payers' stylesheet was not built.");
  return byPreference(css.source.toString().trim()).replace(/url\([^)]*\.woff2\)/g, `url(/${font})`);
}

/** The dark theme where the browser asks for it, and never on paper. */
export function byPreference(css: string): string {
  const dark = /\[data-theme=(?:"dark"|dark)\]\{([^{}]*)\}/g;
  const turned = css.replace(dark, '@media screen and (prefers-color-scheme:dark){:root{$1}}');
  if (turned === css) throw new Error('The dark theme was not found in the stylesheet.');
  return turned;
}

async function builtScript(): Promise<string> {
  return codeOf(
    await built({
      build: {
        target: 'baseline-widely-available',
        modulePreload: false,
        rolldownOptions: { input: SCRIPT, output: { format: 'es', codeSplitting: false } },
      },
    }),
  );
}

async function builtRenderer(files: Files): Promise<string> {
  return codeOf(
    await built({
      plugins: [filesPlugin(files)],
      ssr: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: RENDERER,
        target: 'node24',
        rolldownOptions: { output: { format: 'es', codeSplitting: false } },
      },
    }),
  );
}

function filesPlugin(files: Files): Plugin {
  const resolved = `\0${FILES}`;
  const lines = Object.entries(files).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
  );
  return {
    name: 'jangada-checkout-files',
    resolveId: (id) => (id === FILES ? resolved : undefined),
    load: (id) => (id === resolved ? lines.join('\n') : undefined),
  };
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** The files of a build of its own, which writes none. */
async function built({ build: options, ...config }: InlineConfig): Promise<Output[]> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ...config,
    build: { write: false, ...options },
  });
  const outputs = Array.isArray(result) ? result : 'output' in result ? [result] : [];
  return outputs.flatMap(({ output }) => output);
}

function codeOf(files: readonly Output[]): string {
  const [chunk, ...further] = files.filter((file) => file.type === 'chunk');
  if (chunk === undefined || further.length > 0) throw new Error('One file was to be built.');
  return chunk.code;
}
