import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clockOffsetMs } from '../../tools/test-moment.ts';
import { movePageClock } from '../../web/src/testing/move-page-clock.ts';
import { sendCallsAlone } from '../visitor.ts';
import { rememberResponses } from './long-values.ts';
import { abortStalled, intercept, type Screen, type Viewport, viewports } from './screen.ts';
import type { World } from './world.ts';

export const themes = ['light', 'dark'] as const;
export type ScreenTheme = (typeof themes)[number];

/** How long a screen may take to show its content: long, since the machine may be busy. */
export const TIMEOUT_MS = 60_000;

/** The selector of the placeholders that show while content loads. */
const SKELETON = 'main .skeleton, main span.block.invisible[aria-hidden]';

/** Sets up screens one after the other, each in its own page, with one session for each person. */
export type Stage = {
  /**
   * Opens a screen at its first width, and passes its page to `examine`.
   * @throws if the screen is not reached
   */
  show(screen: Screen, examine: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export function createStage(browser: Browser, world: World, scale = 1): Stage {
  const contexts = new Map<Screen['visitor'], Promise<BrowserContext>>();
  const contextOf = (visitor: Screen['visitor']) => {
    const context = contexts.get(visitor) ?? openContext(browser, world, visitor, scale);
    contexts.set(visitor, context);
    return context;
  };
  return {
    async show(screen, examine) {
      // A screen that stops time would stop it for all later pages of a shared context.
      const needsOwnContext = screen.isTransient || screen.needsOwnContext;
      const ownContext = needsOwnContext && (await openContext(browser, world, screen.visitor, scale));
      const page = await (ownContext || (await contextOf(screen.visitor))).newPage();
      page.setDefaultTimeout(TIMEOUT_MS);
      try {
        await openScreen(page, screen, world);
        await examine(page);
      } finally {
        await abortStalled(page);
        await clearStorage(page);
        await page.close();
        if (ownContext) await ownContext.close();
      }
    },
    async close() {
      for (const context of contexts.values()) await (await context).close();
    },
  };
}

/** Clears what a screen stored in the browser, except the sign-in, before the next screen is opened. */
function clearStorage(page: Page): Promise<void> {
  return page.evaluate(() => {
    const token = localStorage.getItem('token');
    localStorage.clear();
    if (token !== null) localStorage.setItem('token', token);
  });
}

async function openContext(browser: Browser, world: World, visitor: Screen['visitor'], scale: number) {
  const context = await browser.newContext({
    viewport: viewports.desktop,
    deviceScaleFactor: scale,
    locale: 'pt-BR',
    timezoneId: 'America/Recife',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    baseURL: world.url,
    ...(visitor !== 'nobody' && {
      storageState: {
        cookies: [],
        origins: [{ origin: world.url, localStorage: [{ name: 'token', value: world.tokens[visitor] }] }],
      },
    }),
  });
  if (clockOffsetMs() > 0) await context.addInitScript(movePageClock, clockOffsetMs());
  await rememberResponses(context);
  return context;
}

/** Returns the widths of a screen. The first is the one at which the screen's steps run. */
export function widthsOf({ widths }: Screen): readonly Viewport[] {
  return widths ?? ['desktop', 'tablet', 'phone'];
}

/** Opens a screen at its first width, and takes its steps. */
async function openScreen(page: Page, screen: Screen, world: World): Promise<void> {
  const [first = 'desktop'] = widthsOf(screen);
  await page.setViewportSize(viewports[first]);
  if (screen.isTransient) await page.clock.install();
  if (screen.isWithoutScripts) await page.route('**/*.js', (route) => route.abort());
  if (screen.stubs) {
    await sendCallsAlone(page);
    await intercept(page, ...screen.stubs);
  }
  await page.goto(typeof screen.path === 'string' ? screen.path : screen.path(world));
  await screen.steps?.(page, world);
  await waitUntilShown(page, screen);
  if (screen.isTransient) await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

/** Waits until a screen's content is visible, its pictures are drawn and nothing moves. */
export async function waitUntilShown(page: Page, screen: Screen): Promise<void> {
  const { shows } = screen;
  const expected = typeof shows === 'function' ? shows(page) : page.getByText(shows);
  await expected.filter({ visible: true }).first().waitFor();
  if (!screen.isLoading) await page.locator(SKELETON).first().waitFor({ state: 'detached' });
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
    // The condition is polled instead of checked at animation frames, since these stop when time is stopped.
    { polling: 50 },
  );
}

/** Switches the theme. The panel has a setting of its own, and payer pages follow the device, so both are changed. */
export async function switchTheme(page: Page, theme: ScreenTheme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate((dark) => {
    if (dark) document.documentElement.dataset['theme'] = 'dark';
    else delete document.documentElement.dataset['theme'];
  }, theme === 'dark');
}
