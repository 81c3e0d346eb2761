import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite';
import { themeColours } from '../src/theme/theme-colours.ts';

/** What makes an app of the site once somebody wants it on their screen. The script of the first paint reads the colours. */
const asApp: HtmlTagDescriptor[] = [
  meta({ name: 'theme-color', content: themeColours.corporate, 'data-dark': themeColours.dark }),
  { tag: 'link', attrs: { rel: 'manifest', href: '/app.webmanifest' }, injectTo: 'head' },
  meta({ name: 'apple-mobile-web-app-title', content: 'Jangada' }),
];

const FIRST_PAINT = '/src/first-paint.ts';
const PRERENDER = fileURLToPath(new URL('../src/prerender.tsx', import.meta.url));
const PRERENDER_DOCS = fileURLToPath(new URL('../src/prerender-docs.tsx', import.meta.url));

type Prerender = typeof import('../src/prerender.tsx');
type PrerenderDocs = typeof import('../src/prerender-docs.tsx');

/** The pages that stand in their HTML: what is put where. */
const prerendered: Readonly<Record<string, { place: string; markup: (apiUrl?: string) => Promise<string> }>> =
  {
    login: { place: '<!--form-->', markup: () => form('login') },
    register: { place: '<!--form-->', markup: () => form('register') },
    docs: { place: '<!--docs-->', markup: documentation },
  };

/**
 * Puts the prerendered forms into login.html and register.html, the documentation into docs.html, and into every page what
 * makes an app of the site, the blocking script file that knows theme and session before the first paint, and the preload
 * of the font. Nothing inline: the policy forbids it.
 */
export function htmlPlugin(apiUrl?: string): Plugin {
  let building = false;
  return {
    name: 'jangada-html',
    configResolved(config) {
      building = config.command === 'build';
    },
    buildStart() {
      if (building) this.emitFile({ type: 'chunk', id: FIRST_PAINT, name: 'first-paint' });
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, context) {
        const page = prerendered[basename(context.filename, '.html')];
        const tags = [...asApp, ...tagsFor(context.bundle)];
        if (page === undefined) return { html, tags };
        const markup = await page.markup(apiUrl);
        // By a function: markup may hold what a replacement text would read as a pattern.
        return { html: paintFirst(html).replace(page.place, () => markup), tags: tags.map(yielding) };
      },
    },
  };
}

/**
 * Where the page is there without its scripts, the stylesheet comes first, and scripts and font get a low priority: on
 * a slow line they would share it with what the first paint waits for.
 */
function paintFirst(html: string): string {
  const [stylesheet = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  return html
    .replace(stylesheet, '')
    .replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${stylesheet}`)
    .replaceAll('<script type="module" crossorigin', '<script type="module" fetchpriority="low" crossorigin')
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}

function yielding(tag: HtmlTagDescriptor): HtmlTagDescriptor {
  return tag.tag === 'link' ? { ...tag, attrs: { fetchpriority: 'low', ...tag.attrs } } : tag;
}

async function form(name: 'login' | 'register'): Promise<string> {
  const { module } = await runnerImport<Prerender>(PRERENDER, { configFile: false });
  return module.prerender(name);
}

async function documentation(apiUrl: string | undefined): Promise<string> {
  const { module } = await runnerImport<PrerenderDocs>(PRERENDER_DOCS, { configFile: false });
  return module.prerenderDocs(apiUrl);
}

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1];

function tagsFor(bundle: Bundle | undefined): HtmlTagDescriptor[] {
  if (bundle === undefined) return [script(FIRST_PAINT)];
  const files = Object.values(bundle);
  const firstPaint = files.find((file) => file.type === 'chunk' && file.name === 'first-paint');
  const font = files.find((file) => file.fileName.endsWith('.woff2'));
  if (firstPaint === undefined || font === undefined)
    throw new Error('The first paint needs its script and its font.');
  return [
    {
      tag: 'link',
      attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font.fileName}` },
      injectTo: 'head',
    },
    script(`/${firstPaint.fileName}`),
  ];
}

function meta(attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'meta', attrs, injectTo: 'head-prepend' };
}

/** Stands before the stylesheet: a script after it would wait for it, and the rest of the page with the script. */
function script(src: string): HtmlTagDescriptor {
  return { tag: 'script', attrs: { src }, injectTo: 'head-prepend' };
}
