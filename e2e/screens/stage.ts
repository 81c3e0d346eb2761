import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clockOffset } from '../../tools/test-moment.ts';
import { movePageClock } from '../../web/src/testing/move-page-clock.ts';
import { rememberAnswers } from './long-values.ts';
import { dropHeld, intercept, type Screen, type Viewport, viewports } from './screen.ts';
import type { World } from './world.ts';

export const themes = ['light', 'dark'] as const;
export type ScreenTheme = (typeof themes)[number];

/** How long a screen may take to show its content, on a busy machine. */
export const PATIENCE_MS = 60_000;

/** Placeholders of loading content. */
const SKELETON = 'main .skeleton, main span.block.invisible[aria-hidden]';

/** Sets up screens one after the other, each in its own page, with one session for each person. */
export type Stage = {
  /** Opens a screen and passes its page to `look`, at its first width. @throws if the screen is not reached */
  show(screen: Screen, look: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export function createStage(browser: Browser, world: World, scale = 1): Stage {
  const contexts = new Map<Screen['who'], Promise<BrowserContext>>();
  const contextOf = (who: Screen['who']) => {
    const context = contexts.get(who) ?? openContext(browser, world, who, scale);
    contexts.set(who, context);
    return context;
  };
  return {
    async show(screen, look) {
      // Stopped time stays stopped for every page of a context.
      const alone = screen.passing || screen.apart;
      const own = alone && (await openContext(browser, world, screen.who, scale));
      const page = await (own || (await contextOf(screen.who))).newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      try {
        await walkTo(page, screen, world);
        await look(page);
      } finally {
        await dropHeld(page);
        await forget(page);
        await page.close();
        if (own) await own.close();
      }
    },
    async close() {
      for (const context of contexts.values()) await (await context).close();
    },
  };
}

/** Clears what one screen stored in the browser before the next, except the sign-in. */
function forget(page: Page): Promise<void> {
  return page.evaluate(() => {
    const token = localStorage.getItem('token');
    localStorage.clear();
    if (token !== null) localStorage.setItem('token', token);
  });
}

async function openContext(browser: Browser, world: World, who: Screen['who'], scale: number) {
  const context = await browser.newContext({
    viewport: viewports.desktop,
    deviceScaleFactor: scale,
    locale: 'pt-BR',
    timezoneId: 'America/Recife',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    baseURL: world.url,
    ...(who !== 'nobody' && {
      storageState: {
        cookies: [],
        origins: [{ origin: world.url, localStorage: [{ name: 'token', value: world.tokens[who] }] }],
      },
    }),
  });
  if (clockOffset() > 0) await context.addInitScript(movePageClock, clockOffset());
  await rememberAnswers(context);
  return context;
}

/** The widths of a screen, beginning with the one at which its steps run. */
export function widthsOf({ widths }: Screen): readonly Viewport[] {
  return widths ?? ['desktop', 'tablet', 'phone'];
}

async function walkTo(page: Page, screen: Screen, world: World): Promise<void> {
  const [first = 'desktop'] = widthsOf(screen);
  await page.setViewportSize(viewports[first]);
  if (screen.passing) await page.clock.install();
  if (screen.scriptless) await page.route('**/*.js', (route) => route.abort());
  if (screen.answers) await intercept(page, ...screen.answers);
  await page.goto(typeof screen.at === 'string' ? screen.at : screen.at(world));
  await screen.steps?.(page, world);
  await untilShown(page, screen);
  if (screen.passing) await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

/** Waits until a screen's content is visible, its pictures are drawn and nothing moves. */
export async function untilShown(page: Page, screen: Screen): Promise<void> {
  const { shows } = screen;
  const found = typeof shows === 'function' ? shows(page) : page.getByText(shows);
  await found.filter({ visible: true }).first().waitFor();
  if (!screen.loading) await page.locator(SKELETON).first().waitFor({ state: 'detached' });
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy') &&
      document
        .getAnimations()
        .every(
          ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
        ),
    undefined,
    // Not by animation frames, since time may be stopped.
    { polling: 50 },
  );
}

/** Switches the theme: the panel has its own setting, payer pages follow the device. */
export async function useTheme(page: Page, theme: ScreenTheme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate((dark) => {
    if (dark) document.documentElement.dataset['theme'] = 'dark';
    else delete document.documentElement.dataset['theme'];
  }, theme === 'dark');
}
