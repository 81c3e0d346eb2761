import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { browserLaunchOptions } from '../tools/browser.ts';
import { clockOffsetMs } from '../tools/test-moment.ts';
import { movePageClock } from '../web/src/testing/move-page-clock.ts';
import { findAxeProblems } from './screens/examine.ts';
import { TIMEOUT_MS } from './screens/stage.ts';

export const widths = {
  narrow: { width: 320, height: 568 },
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const;
export type Width = keyof typeof widths;

/** A long run (`npm run test:long`) checks more screens and widths than a short one. */
export const isLongRun = process.env['LONG'] === '1';

/**
 * The widths at which whole journeys run: on a phone, and in a long run on a desktop too. Separate tests check the
 * screens of the journeys at both widths.
 */
export const journeyWidths = (isLongRun ? ['phone', 'desktop'] : ['phone']) as readonly (
  | 'phone'
  | 'desktop'
)[];

let sharedBrowser: Promise<Browser> | undefined;

/** Returns the browser that the test files of one worker share. It ends with the worker. */
export function openBrowser(): Promise<Browser> {
  sharedBrowser ??= chromium.launch(browserLaunchOptions()).then((browser) =>
    browser.on('disconnected', () => {
      sharedBrowser = undefined;
    }),
  );
  return sharedBrowser;
}

/** Starts a browser that can also show notifications. The caller closes it. */
export const openWholeBrowser = (): Promise<Browser> =>
  chromium.launch(browserLaunchOptions({ whole: true }));

/** A user with a browser context for one test. All errors that the browser reports are recorded as complaints. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Returns the policy violations, script and console errors, and failed requests so far, except complaints that the
   * test expects.
   */
  complaints(expected?: RegExp): string[];
  /** Opens a URL, signed in with the token of an existing session. */
  enter(token: string, url: string): Promise<void>;
  /** Whether this browser stores a token or a user. */
  hasStoredSession(): Promise<boolean>;
  /** Checks the screen against WCAG 2.2 AA, and that the page is not wider than the screen. */
  checkScreen(name: string): Promise<void>;
};

/** Opens a browser context and a page for one test, and closes them after the test. */
export async function newVisitor(browser: Browser, width: Width): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: widths[width],
    locale: 'pt-BR',
    timezoneId: 'America/Recife',
    hasTouch: width !== 'desktop',
    isMobile: width === 'narrow' || width === 'phone',
    // Animations would only cost processor time.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const complaints: string[] = [];
  if (clockOffsetMs() > 0) await context.addInitScript(movePageClock, clockOffsetMs());
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
    if (task.result?.state === 'fail') await reportFailedScreen(page, complaints);
    await context.close();
  });
  return {
    page,
    context,
    complaints: (expected) => complaints.filter((complaint) => expected?.test(complaint) !== true),
    async enter(token, url) {
      // An empty page of the same origin is the cheapest way to reach the origin's storage.
      const empty = new URL('/empty', url).href;
      await page.route(empty, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title></title><link rel="icon" href="data:,">' }),
      );
      await page.goto(empty);
      await page.evaluate((value) => {
        // The user of before would be taken for the present one until the profile has arrived.
        if (localStorage.getItem('token') !== value) localStorage.removeItem('user');
        localStorage.setItem('token', value);
      }, token);
      await page.unroute(empty);
      await page.goto(url);
    },
    hasStoredSession: () =>
      page.evaluate(() => ['token', 'user'].some((key) => localStorage.getItem(key) !== null)),
    checkScreen: (name) => checkScreen(page, name),
  };
}

/**
 * Answers the batch of a screen's first calls with nothing, so that the app sends each call alone, and a test can
 * intercept it.
 */
export async function sendCallsAlone(page: Page): Promise<void> {
  await page.route('**/api/authed/batch?*', (route) => route.fulfill({ json: { answers: [] } }));
}

/**
 * Presses a button that copies, waits until the text is on the clipboard, and returns it.
 */
export async function readCopiedText(page: Page, press: () => Promise<void>): Promise<string> {
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press();
  await expect.poll(readClipboard).not.toBe('');
  return readClipboard();
}

/** Checks a payer page, which follows the device's colour scheme, against WCAG 2.2 AA in both colour schemes. */
export async function checkColorSchemes({ page, checkScreen }: Visitor, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await checkScreen(`${name}, ${colorScheme}`);
  }
}

/**
 * Prints the screen's content after a failed test, since a failure on a slow machine may not happen again. With
 * `E2E_PICTURES` set to a folder, stores a picture there too.
 */
async function reportFailedScreen(page: Page, complaints: readonly string[]): Promise<void> {
  const text = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
  console.error(
    [`When the test failed, ${page.url()} showed:`, text.slice(0, 3000), ...complaints.slice(-10)].join('\n'),
  );
  const folder = process.env['E2E_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${Date.now()}.png` });
}

async function checkScreen(page: Page, name: string): Promise<void> {
  await waitForAnimations(page);
  expect(await findAxeProblems(page), `${name}: accessibility`).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name}: wider than the screen`).toBeLessThanOrEqual(0);
}

/** Waits for the end of animations, because axe would measure contrast in the middle of a fade. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
}
