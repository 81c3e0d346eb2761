import tailwindcss from '@tailwindcss/vite';
import { build, type InlineConfig, type Rolldown } from 'vite';

// Separate builds beside the app's, each into one file that shares nothing with it.

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;
type Bundle = Rolldown.OutputBundle;

/** The file name of the only font in the app's build. */
export function fontOf(bundle: Bundle): string {
  const font = Object.keys(bundle).find((name) => name.endsWith('.woff2'));
  if (font === undefined) throw new Error('The build holds no font.');
  return font;
}

/** A minified stylesheet. `font` is the font's URL. */
export async function stylesheetOf(entry: string, font: string): Promise<string> {
  const files = await built({ plugins: [tailwindcss()], build: { rolldownOptions: { input: entry } } });
  const css = files.find(({ fileName }) => fileName.endsWith('.css'));
  if (css?.type !== 'asset') throw new Error(`${entry} was not built.`);
  return css.source
    .toString()
    .trim()
    .replace(/url\([^)]*\.woff2\)/g, `url(${font})`);
}

/** A browser script: a module, or a standalone script with its names in a private scope. */
export async function scriptOf(
  entry: string,
  format: 'es' | 'iife',
  more: InlineConfig = {},
): Promise<string> {
  return codeOf(
    await built({
      ...more,
      build: {
        target: 'baseline-widely-available',
        modulePreload: false,
        rolldownOptions: { input: entry, output: { format, codeSplitting: false } },
      },
    }),
  );
}

/** The output files of a build, not written to disk. */
export async function built({ build: options, ...config }: InlineConfig): Promise<Output[]> {
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

export function codeOf(files: readonly Output[]): string {
  const [chunk, ...further] = files.filter((file) => file.type === 'chunk');
  if (chunk === undefined || further.length > 0) throw new Error('One file was to be built.');
  return chunk.code;
}
