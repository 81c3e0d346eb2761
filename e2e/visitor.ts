import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { browserLaunch } from '../tools/browser.ts';
import { clockOffset } from '../tools/test-moment.ts';
import { movePageClock } from '../web/src/testing/move-page-clock.ts';
import { axeProblems } from './screens/examine.ts';
import { PATIENCE_MS } from './screens/stage.ts';

export const widths = {
  narrow: { width: 320, height: 568 },
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const;
export type Width = keyof typeof widths;

/** A long run checks more than a short one, which relies on the journeys. */
export const isLong = process.env['LONG'] === '1';

/** Whole journeys run on a phone, in a long run on a desktop too; separate tests check their screens at both widths. */
export const journeyWidths = (isLong ? ['phone', 'desktop'] : ['phone']) as readonly ('phone' | 'desktop')[];

let opened: Promise<Browser> | undefined;

/** The browser shared by one worker's test files; it ends with the worker. */
export function openBrowser(): Promise<Browser> {
  opened ??= chromium.launch(browserLaunch()).then((browser) =>
    browser.on('disconnected', () => {
      opened = undefined;
    }),
  );
  return opened;
}

/** A browser that can also show notifications. The caller closes it. */
export const openWholeBrowser = (): Promise<Browser> => chromium.launch(browserLaunch({ whole: true }));

/** A user with a browser for one test; every complaint of the browser is recorded. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Policy violations, script and console errors, and failed requests so far, except those that the journey provokes. */
  complaints(provoked?: RegExp): string[];
  /** Opens an address with an existing session. */
  enter(token: string, url: string): Promise<void>;
  /** Whether this browser stores a token and a user. */
  keepsSession(): Promise<boolean>;
  /** Checks the screen against WCAG 2.2 AA, and that the page is not wider than the screen. */
  checkScreen(name: string): Promise<void>;
};

export async function newVisitor(browser: Browser, width: Width): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: widths[width],
    locale: 'pt-BR',
    timezoneId: 'America/Recife',
    hasTouch: width !== 'desktop',
    isMobile: width === 'narrow' || width === 'phone',
    // Animations cost the machine time and show nothing more.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const complaints: string[] = [];
  if (clockOffset() > 0) await context.addInitScript(movePageClock, clockOffset());
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await describe(page, complaints);
    await context.close();
  });
  return {
    page,
    context,
    complaints: (provoked) => complaints.filter((complaint) => provoked?.test(complaint) !== true),
    async enter(token, url) {
      // An empty page of the same origin is the cheapest way to reach its storage.
      const empty = new URL('/empty', url).href;
      await page.route(empty, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title></title><link rel="icon" href="data:,">' }),
      );
      await page.goto(empty);
      await page.evaluate((held) => localStorage.setItem('token', held), token);
      await page.unroute(empty);
      await page.goto(url);
    },
    keepsSession: () =>
      page.evaluate(() => ['token', 'user'].some((key) => localStorage.getItem(key) !== null)),
    checkScreen: (name) => checkScreen(page, name),
  };
}

/** The copied text, once it is there: the clipboard is written shortly after the press. */
export async function copiedBy(page: Page, press: () => Promise<void>): Promise<string> {
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press();
  await expect.poll(clipboard).not.toBe('');
  return clipboard();
}

/** Checks a payer page, which follows the device's colour scheme, against WCAG 2.2 AA in both. */
export async function checkSchemes({ page, checkScreen }: Visitor, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await checkScreen(`${name}, ${colorScheme}`);
  }
}

/**
 * Prints the screen's content when a test failed, since failures on a slow machine may not repeat. With `E2E_PICTURES`
 * set to a folder, stores a picture there too.
 */
async function describe(page: Page, complaints: readonly string[]): Promise<void> {
  const text = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
  console.error(
    [`When the test failed, ${page.url()} showed:`, text.slice(0, 3000), ...complaints.slice(-10)].join('\n'),
  );
  const folder = process.env['E2E_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${Date.now()}.png` });
}

async function checkScreen(page: Page, name: string): Promise<void> {
  await settled(page);
  expect(await axeProblems(page), `${name}: accessibility`).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name}: wider than the screen`).toBeLessThanOrEqual(0);
}

/** Waits for the end of animations: axe would measure contrast in the middle of a fade. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
}
