import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Screen, type Viewport, viewports } from './screen.ts';
import { createStage, type ScreenTheme, switchTheme, waitUntilShown, widthsOf } from './stage.ts';
import type { World } from './world.ts';

/** The pictures to take of each screen. */
export type ScreenshotOptions = {
  readonly folder: string;
  readonly widths: readonly Viewport[];
  readonly themes: readonly ScreenTheme[];
  /** Picture pixels per page pixel. */
  readonly scale: number;
};

/** A screen that could not be opened. */
export type UnreachedScreen = { readonly name: string; readonly reason: string };

/** The number of stages, each of which shows one screen at a time. */
const STAGES = 2;

/** Takes the pictures of screens. Returns the screens that could not be opened, each with its reason. */
export async function takeScreenshots(
  browser: Browser,
  world: World,
  screens: readonly Screen[],
  options: ScreenshotOptions,
): Promise<UnreachedScreen[]> {
  mkdirSync(options.folder, { recursive: true });
  const unreached: UnreachedScreen[] = [];
  const queue = [...screens];
  const work = async () => {
    const stage = createStage(browser, world, options.scale);
    for (let screen = queue.shift(); screen !== undefined; screen = queue.shift()) {
      const { name } = screen;
      try {
        await stage.show(screen, (page) => takeScreenshotsOf(page, screen, options));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        unreached.push({ name, reason });
        console.error(`${name} was not reached: ${reason}`);
      }
    }
    await stage.close();
  };
  await Promise.all(Array.from({ length: STAGES }, work));
  return unreached;
}

async function takeScreenshotsOf(page: Page, screen: Screen, options: ScreenshotOptions): Promise<void> {
  // Pictures have no scrollbar, so no space is reserved for one. The style is set here, since the page's policy allows
  // no further stylesheet.
  await page.evaluate(() => document.documentElement.style.setProperty('scrollbar-gutter', 'auto'));
  for (const width of widthsOf(screen).filter((width) => options.widths.includes(width))) {
    await page.setViewportSize(viewports[width]);
    for (const theme of options.themes) {
      await switchTheme(page, theme);
      await waitUntilShown(page, screen);
      await takeScreenshot(page, join(options.folder, screenshotName(screen, width, theme)));
    }
  }
}

const withoutMotion = { animations: 'disabled', caret: 'hide' } as const;

/** Takes a picture of the window, and one of the whole page if the page is longer than the window. */
async function takeScreenshot(page: Page, path: string): Promise<void> {
  await page.screenshot({ path: `${path}.png`, ...withoutMotion });
  const isLongerThanWindow = await page.evaluate(
    () =>
      document.querySelector('dialog[open]') === null &&
      document.documentElement.scrollHeight > window.innerHeight + 1,
  );
  if (isLongerThanWindow)
    await page.screenshot({ path: `${path}-whole.png`, ...withoutMotion, fullPage: true });
}

function screenshotName({ name }: Screen, width: Viewport, theme: ScreenTheme): string {
  const viewport = viewports[width];
  return `${name}-${viewport.width}x${viewport.height}-${theme}`;
}

/** Writes an index page with all pictures. */
export function writeContactSheet(screens: readonly Screen[], options: ScreenshotOptions): void {
  const rows = screens.map((screen) => {
    const pictures = widthsOf(screen)
      .filter((width) => options.widths.includes(width))
      .flatMap((width) => options.themes.map((theme) => screenshotName(screen, width, theme)));
    const cells = pictures.map(
      (name) => `<a href="${name}.png"><img loading="lazy" src="${name}.png" alt="${name}"></a>`,
    );
    return `<h2>${screen.name}</h2><p>${cells.join('')}</p>`;
  });
  const style =
    'body{font:14px sans-serif;margin:24px}p{display:flex;gap:8px;align-items:start}img{height:240px;border:1px solid #999}';
  const page = `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>${rows.join('\n')}`;
  writeFileSync(join(options.folder, 'index.html'), page);
}
