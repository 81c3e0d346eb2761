import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { built, codeOf, fontOf, scriptOf, stylesheetOf } from './build-apart.ts';
import { valuesPlugin } from './values-plugin.ts';

const RENDERER = fileURLToPath(new URL('../src/checkout/render-page.tsx', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../src/checkout/script/main.ts', import.meta.url));
const STYLESHEET = fileURLToPath(new URL('../src/theme/checkout.css', import.meta.url));

/** The values that the renderer writes into each page. */
type Files = { readonly stylesheet: string; readonly script: string; readonly font: string };

/**
 * Builds the pages for payers: `checkout/render.js`, which the gateway loads and which embeds their stylesheet, and a
 * small browser script, separate from the dashboard's.
 */
export function checkoutPlugin(): Plugin {
  return {
    name: 'jangada-checkout',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const font = fontOf(bundle);
      const [css, source] = await Promise.all([stylesheetOf(STYLESHEET, `/${font}`), scriptOf(SCRIPT, 'es')]);
      const script = this.getFileName(this.emitFile({ type: 'asset', name: 'checkout.js', source }));
      const renderer = await builtRenderer({ stylesheet: byPreference(css), script, font });
      this.emitFile({ type: 'asset', fileName: 'checkout/render.js', source: renderer });
    },
  };
}

/** Applies the dark theme when the browser prefers it, and never in print. */
export function byPreference(css: string): string {
  const dark = /\[data-theme=(?:"dark"|dark)\]\{([^{}]*)\}/g;
  const turned = css.replace(dark, '@media screen and (prefers-color-scheme:dark){:root{$1}}');
  if (turned === css) throw new Error('The dark theme was not found in the stylesheet.');
  return turned;
}

async function builtRenderer(files: Files): Promise<string> {
  return codeOf(
    await built({
      plugins: [valuesPlugin('virtual:checkout-files', { ...files })],
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
