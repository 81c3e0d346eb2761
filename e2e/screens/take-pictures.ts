import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Screen, type Viewport, viewports } from './screen.ts';
import { createStage, type ScreenTheme, untilShown, useTheme, widthsOf } from './stage.ts';
import type { World } from './world.ts';

export type Wish = {
  readonly folder: string;
  readonly widths: readonly Viewport[];
  readonly themes: readonly ScreenTheme[];
  /** Picture pixels per page pixel. */
  readonly scale: number;
};

export type Unreached = { readonly name: string; readonly why: string };

/** The number of screens set up in parallel. */
const STAGES = 2;

/** Takes the pictures of screens. Returns the unreachable ones, each with its reason. */
export async function takePictures(
  browser: Browser,
  world: World,
  screens: readonly Screen[],
  wish: Wish,
): Promise<Unreached[]> {
  mkdirSync(wish.folder, { recursive: true });
  const unreached: Unreached[] = [];
  const waiting = [...screens];
  const work = async () => {
    const stage = createStage(browser, world, wish.scale);
    for (let screen = waiting.shift(); screen !== undefined; screen = waiting.shift()) {
      const { name } = screen;
      try {
        await stage.show(screen, (page) => takeAll(page, screen, wish));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        unreached.push({ name, why });
        console.error(`${name} was not reached: ${why}`);
      }
    }
    await stage.close();
  };
  await Promise.all(Array.from({ length: STAGES }, work));
  return unreached;
}

async function takeAll(page: Page, screen: Screen, wish: Wish): Promise<void> {
  // No room is kept for a scrollbar that is not drawn. Set on the element, since the page's policy allows no stylesheet.
  await page.evaluate(() => document.documentElement.style.setProperty('scrollbar-gutter', 'auto'));
  for (const width of widthsOf(screen).filter((one) => wish.widths.includes(one))) {
    await page.setViewportSize(viewports[width]);
    for (const theme of wish.themes) {
      await useTheme(page, theme);
      await untilShown(page, screen);
      await take(page, join(wish.folder, pictureName(screen, width, theme)));
    }
  }
}

const still = { animations: 'disabled', caret: 'hide' } as const;

/** The screen's window, and the whole page where that is longer. */
async function take(page: Page, path: string): Promise<void> {
  await page.screenshot({ path: `${path}.png`, ...still });
  const longer = await page.evaluate(
    () =>
      document.querySelector('dialog[open]') === null &&
      document.documentElement.scrollHeight > window.innerHeight + 1,
  );
  if (longer) await page.screenshot({ path: `${path}-whole.png`, ...still, fullPage: true });
}

function pictureName({ name }: Screen, width: Viewport, theme: ScreenTheme): string {
  const { width: across, height: down } = viewports[width];
  return `${name}-${across}x${down}-${theme}`;
}

/** An index page with all pictures. */
export function writeContactSheet(screens: readonly Screen[], wish: Wish): void {
  const rows = screens.map((screen) => {
    const pictures = widthsOf(screen)
      .filter((width) => wish.widths.includes(width))
      .flatMap((width) => wish.themes.map((theme) => pictureName(screen, width, theme)));
    const cells = pictures.map(
      (name) => `<a href="${name}.png"><img loading="lazy" src="${name}.png" alt="${name}"></a>`,
    );
    return `<h2>${screen.name}</h2><p>${cells.join('')}</p>`;
  });
  const style =
    'body{font:14px sans-serif;margin:24px}p{display:flex;gap:8px;align-items:start}img{height:240px;border:1px solid #999}';
  const page = `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>${rows.join('\n')}`;
  writeFileSync(join(wish.folder, 'index.html'), page);
}
