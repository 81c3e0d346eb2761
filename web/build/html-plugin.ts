import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite';
import { themeColours } from '../src/theme/theme-colours.ts';

/** Makes the site installable as an app. The first-paint script reads the colours. */
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

/** The prerendered pages: which markup replaces which placeholder. */
const prerendered: Readonly<Record<string, { place: string; markup: (apiUrl?: string) => Promise<string> }>> =
  {
    login: { place: '<!--form-->', markup: () => form('login') },
    register: { place: '<!--form-->', markup: () => form('register') },
    docs: { place: '<!--docs-->', markup: documentation },
  };

/**
 * Inserts the prerendered forms into login.html and register.html, the documentation into docs.html, and into every
 * page the tags that make the site installable, the blocking first-paint script and the font's preload. Nothing is
 * inline, because the policy forbids it.
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
        const name = basename(context.filename, '.html');
        const page = prerendered[name];
        // Another gateway, at its own address, may lack the call for batches; the documentation calls nothing.
        const startsCalls = apiUrl === undefined && name !== 'docs';
        const tags = [...asApp, ...tagsFor(context.bundle, startsCalls ? '/api' : undefined)];
        if (page === undefined) return { html, tags };
        const markup = await page.markup(apiUrl);
        // A function, because markup may contain `$` patterns that a replacement string would expand.
        return { html: paintFirst(html).replace(page.place, () => markup), tags: tags.map(yielding) };
      },
    },
  };
}

/**
 * On prerendered pages, puts the stylesheet first, and gives scripts and font a low priority: on a slow line they would
 * compete with what the first paint needs.
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

/** `apiPath`: where the first-paint script may start calls. */
function tagsFor(bundle: Bundle | undefined, apiPath: string | undefined): HtmlTagDescriptor[] {
  const api: Record<string, string> = apiPath === undefined ? {} : { 'data-api': apiPath };
  if (bundle === undefined) return [script(FIRST_PAINT, api)];
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
    script(`/${firstPaint.fileName}`, api),
  ];
}

function meta(attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'meta', attrs, injectTo: 'head-prepend' };
}

/** Placed before the stylesheet: a script after it would wait for it, and block the rest of the page. */
function script(src: string, attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'script', attrs: { src, ...attrs }, injectTo: 'head-prepend' };
}
