import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import { applyThrottle, slowProcessor, type Throttle } from '../browser.ts';
import { type Body, bodyOf } from './body.ts';

/** The measurements of one visit. Times are in milliseconds since the start of the navigation. */
export type Visit = {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  /** The element of the largest paint, with the start of its text. */
  readonly largestPaint: string;
  /** TBT, total blocking time: the time beyond 50 ms of every long task after the first paint. */
  readonly blockingMs: number;
  /** The time beyond 50 ms of every long task of the whole load, including those before the first paint. */
  readonly blockingWholeLoadMs: number;
  /** CLS, the browser's score for content that moves. It has no unit. */
  readonly layoutShift: number;
  readonly bodies: readonly Body[];
  /** When each request began and ended, the document's first. */
  readonly requests: readonly TimedRequest[];
  /** Policy violations, script errors and failed requests; empty if there were none. */
  readonly complaints: readonly string[];
};

export type TimedRequest = { readonly path: string; readonly startMs: number; readonly endMs: number };

/** The phone that Lighthouse emulates. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  locale: 'pt-BR',
} as const;

const observer = fileURLToPath(new URL('./observe-load.js', import.meta.url));

/** The state of the visitor's browser: anonymous or signed in, with an empty cache or that of a previous visit. */
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
      await context.addInitScript((value) => localStorage.setItem('token', value), token);
    if (cached) await fillCache(context, url);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await applyThrottle(devtools, throttle);
    const traffic = watchTraffic(page);
    await page.goto(url, { waitUntil: 'commit' });
    const load = await waitUntilIdle(page, traffic);
    await slowProcessor(devtools, 1);
    const requests = await page.evaluate<TimedRequest[]>(readRequests);
    const bodies = await Promise.all(traffic.responses.map(bodyOf));
    return { ...timesOf(load), bodies, requests, complaints: [...traffic.complaints, ...load.violations] };
  } finally {
    await context.close();
  }
}

/**
 * Makes a visit without throttling, which fills the cache, and installs the service worker if the page has one.
 */
async function fillCache(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  const traffic = watchTraffic(page);
  await page.goto(url, { waitUntil: 'commit' });
  await waitUntilIdle(page, traffic);
  await page.close();
}

type Traffic = {
  readonly pending: Set<Request>;
  readonly responses: Response[];
  readonly complaints: string[];
  /** When a request last began or ended. */
  lastMs: number;
};

function watchTraffic(page: Page): Traffic {
  const traffic: Traffic = { pending: new Set(), responses: [], complaints: [], lastMs: performance.now() };
  const recordEnd = (request: Request) => {
    traffic.pending.delete(request);
    traffic.lastMs = performance.now();
  };
  page.on('request', (request) => {
    // The live channel is a request that never ends.
    if (request.resourceType() !== 'eventsource') traffic.pending.add(request);
    traffic.lastMs = performance.now();
  });
  page.on('requestfinished', recordEnd);
  page.on('requestfailed', (request) => {
    recordEnd(request);
    traffic.complaints.push(`${request.failure()?.errorText} ${request.url()}`);
  });
  page.on('response', (response) => {
    traffic.responses.push(response);
    if (response.status() >= 400) traffic.complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => traffic.complaints.push(error.message));
  return traffic;
}

/** The observations that observe-load.js collects in the page's global variable `pageLoad`. */
type Load = {
  readonly firstPaintMs?: number;
  readonly largestPaintMs?: number;
  readonly largestPaint?: string;
  readonly layoutShift: number;
  readonly longTasks: readonly { readonly startMs: number; readonly durationMs: number }[];
  readonly violations: readonly string[];
};

type LoadState = { readonly nowMs: number; readonly isComplete: boolean; readonly load: Load };

const readLoadState = `({ nowMs: performance.now(), isComplete: document.readyState === 'complete', load: pageLoad })`;
const readRequests = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
  ({ name, startTime, responseEnd }) => ({ path: new URL(name).pathname, startMs: startTime, endMs: responseEnd }))`;
const idleMs = 1_500;
const timeoutMs = 45_000;

async function waitUntilIdle(page: Page, traffic: Traffic): Promise<Load> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    await sleep(150);
    // The debugger evaluates the script, so the page's content security policy does not block it.
    const { nowMs, isComplete, load } = await page.evaluate<LoadState>(readLoadState);
    const lastTaskMs = Math.max(0, ...load.longTasks.map((task) => task.startMs + task.durationMs));
    const isNetworkIdle = traffic.pending.size === 0 && performance.now() - traffic.lastMs > idleMs;
    const isProcessorIdle = nowMs - lastTaskMs > idleMs;
    if (isComplete && isNetworkIdle && isProcessorIdle && load.largestPaintMs !== undefined) return load;
  }
  throw new Error(`${page.url()} was not idle within ${timeoutMs / 1000} s.`);
}

function timesOf({ firstPaintMs, largestPaintMs, largestPaint, longTasks, layoutShift }: Load) {
  if (firstPaintMs === undefined || largestPaintMs === undefined)
    throw new Error('The browser reported no first or no largest paint.');
  const blockedSince = (sinceMs: number) =>
    longTasks
      .map(({ startMs, durationMs }) => Math.min(durationMs, startMs + durationMs - sinceMs) - 50)
      .reduce((sum, blockedMs) => sum + Math.max(0, blockedMs), 0);
  return {
    firstPaintMs,
    largestPaintMs,
    largestPaint: largestPaint ?? 'unknown',
    blockingMs: blockedSince(firstPaintMs),
    blockingWholeLoadMs: blockedSince(0),
    layoutShift,
  };
}
