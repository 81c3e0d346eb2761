import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import { applyThrottle, slowProcessor, type Throttle } from '../throttle.ts';
import { type Body, bodyOf } from './body.ts';

/** The measurements of one visit. Times in milliseconds since the start of the navigation. */
export type Visit = {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  /** The element of the largest paint, with the start of its text. */
  readonly largestPaint: string;
  /** TBT: the time beyond 50 ms of every long task after the first paint. */
  readonly blockingMs: number;
  /** The same over the whole load, including before the first paint. */
  readonly blockingWholeLoadMs: number;
  /** CLS (unitless). */
  readonly layoutShift: number;
  readonly bodies: readonly Body[];
  /** Policy violations, script errors and failed requests; empty if there were none. */
  readonly complaints: readonly string[];
};

/** The phone that Lighthouse emulates. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  locale: 'pt-BR',
} as const;

const observer = fileURLToPath(new URL('./observe-load.js', import.meta.url));

/** The visitor: anonymous or signed in, with an empty cache or that of the previous visit. */
export type VisitorState = { readonly token?: string | undefined; readonly cached?: boolean | undefined };

/**
 * Visits a page in its own browser context, and waits until network and processor have been idle for 1.5 s.
 * @throws if the page is not idle within 45 s, or paints nothing
 */
export async function visit(
  browser: Browser,
  url: string,
  throttle: Throttle,
  { token, cached = false }: VisitorState = {},
): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    await context.addInitScript({ path: observer });
    if (token !== undefined)
      await context.addInitScript((held) => localStorage.setItem('token', held), token);
    if (cached) await fillCache(context, url);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await applyThrottle(devtools, throttle);
    const traffic = watchTraffic(page);
    await page.goto(url, { waitUntil: 'commit' });
    const load = await untilAtRest(page, traffic);
    await slowProcessor(devtools, 1);
    const bodies = await Promise.all(traffic.responses.map(bodyOf));
    return { ...timesOf(load), bodies, complaints: [...traffic.complaints, ...load.violations] };
  } finally {
    await context.close();
  }
}

/** The previous visit, unthrottled, which fills the cache and installs the service worker, if any. */
async function fillCache(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  const traffic = watchTraffic(page);
  await page.goto(url, { waitUntil: 'commit' });
  await untilAtRest(page, traffic);
  await page.close();
}

type Traffic = {
  readonly open: Set<Request>;
  readonly responses: Response[];
  readonly complaints: string[];
  lastMs: number;
};

function watchTraffic(page: Page): Traffic {
  const traffic: Traffic = { open: new Set(), responses: [], complaints: [], lastMs: performance.now() };
  const ended = (request: Request) => {
    traffic.open.delete(request);
    traffic.lastMs = performance.now();
  };
  page.on('request', (request) => {
    // The live channel never closes.
    if (request.resourceType() !== 'eventsource') traffic.open.add(request);
    traffic.lastMs = performance.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', (request) => {
    ended(request);
    traffic.complaints.push(`${request.failure()?.errorText} ${request.url()}`);
  });
  page.on('response', (response) => {
    traffic.responses.push(response);
    if (response.status() >= 400) traffic.complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => traffic.complaints.push(error.message));
  return traffic;
}

/** The observations of observe-load.js. */
type Load = {
  readonly firstPaintMs?: number;
  readonly largestPaintMs?: number;
  readonly largestPaint?: string;
  readonly layoutShift: number;
  readonly longTasks: readonly { readonly startMs: number; readonly durationMs: number }[];
  readonly violations: readonly string[];
};

type Moment = { readonly nowMs: number; readonly complete: boolean; readonly load: Load };

const look = `({ nowMs: performance.now(), complete: document.readyState === 'complete', load: pageLoad })`;
const restMs = 1_500;
const patienceMs = 45_000;

async function untilAtRest(page: Page, traffic: Traffic): Promise<Load> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    await sleep(150);
    // Evaluated by the debugger, so the page's policy does not apply to it.
    const { nowMs, complete, load } = await page.evaluate<Moment>(look);
    const lastTaskMs = Math.max(0, ...load.longTasks.map((task) => task.startMs + task.durationMs));
    const lineRests = traffic.open.size === 0 && performance.now() - traffic.lastMs > restMs;
    if (complete && lineRests && nowMs - lastTaskMs > restMs && load.largestPaintMs !== undefined)
      return load;
  }
  throw new Error(`${page.url()} was not idle within ${patienceMs / 1000} s.`);
}

function timesOf({ firstPaintMs, largestPaintMs, largestPaint, longTasks, layoutShift }: Load) {
  if (firstPaintMs === undefined || largestPaintMs === undefined)
    throw new Error('The browser reported no first or no largest paint.');
  const blockedAfter = (momentMs: number) =>
    longTasks
      .map(({ startMs, durationMs }) => Math.min(durationMs, startMs + durationMs - momentMs) - 50)
      .reduce((sum, blockedMs) => sum + Math.max(0, blockedMs), 0);
  return {
    firstPaintMs,
    largestPaintMs,
    largestPaint: largestPaint ?? 'unknown',
    blockingMs: blockedAfter(firstPaintMs),
    blockingWholeLoadMs: blockedAfter(0),
    layoutShift,
  };
}
