import type { Browser } from 'playwright-core';
import { signInAsDemoMerchant } from '../../../e2e/stack.ts';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { slow4g, unthrottled, withBrowser } from '../browser.ts';
import { type Spread, spreadOf } from '../statistics.ts';
import { measureSandbox } from '../with-product.ts';
import { type Body, type ByteSizes, sumOf } from './body.ts';
import { type MeasuredPage, makePayerPages } from './payer-pages.ts';
import { type TimedRequest, type Visit, visit } from './visit.ts';
import { drawWaterfall } from './waterfall.ts';

const publicPages: readonly MeasuredPage[] = ['/login', '/register', '/docs'].map((path) => ({
  name: path,
  path,
}));
/** Screens of a signed-in merchant. */
const screens = ['/dashboard', '/transactions', '/wallet'];

/**
 * Measures the load times and sizes of the pages for visitors, payers and merchants, on the sandbox at the
 * given origin or one that it starts. With `--quick` each page is visited once after the first visit, and
 * nothing is stored. `--only=/wallet` measures the pages whose name has this text, and draws their requests.
 */
export async function benchPageWeight(args: readonly string[]): Promise<BenchOutcome> {
  const only = args.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
  if (only === undefined) return measureSandbox(args, (origin, quick) => measurePages(origin, { quick }));
  await measureSandbox(args, (origin, quick) => measurePages(origin, { quick, only }));
  return 'preview';
}

/**
 * Visits one page of each kind once, without throttling, and counts the pages, their HTML documents and the
 * complaints of the browser.
 */
export async function runSmallPageWeight(origin: string): Promise<Counts> {
  const token = await signInAsDemoMerchant({ url: origin });
  let counts: Counts = {};
  await withBrowser(async (browser) => {
    const visited: Visit[] = [];
    const kinds = [
      publicPages.slice(0, 1),
      await makePayerPages(origin, token),
      screensOf(token).slice(1, 2),
    ];
    for (const { path, ...visitor } of kinds.flat())
      visited.push(await visit(browser, new URL(path, origin).href, unthrottled, visitor));
    const documentCounts = visited.map(({ bodies }) => bodies.filter(({ kind }) => kind === 'html').length);
    counts = {
      pages: visited.length,
      documents: documentCounts.reduce((sum, count) => sum + count, 0),
      complaints: visited.flatMap(({ complaints }) => complaints).length,
    };
  });
  return counts;
}

/** Returns each screen of a signed-in merchant twice: with an empty cache, then with a warm one. */
function screensOf(token: string): MeasuredPage[] {
  return screens.flatMap((path) => [
    { name: `${path}, first`, path, token },
    { name: `${path}, again`, path, token, cached: true },
  ]);
}

async function pagesOf(origin: string, token: string): Promise<MeasuredPage[]> {
  return [...publicPages, ...(await makePayerPages(origin, token)), ...screensOf(token)];
}

async function measurePages(
  origin: string,
  { quick, only }: { quick: boolean; only?: string },
): Promise<void> {
  const visitCount = quick ? 1 : 5;
  const token = await signInAsDemoMerchant({ url: origin });
  await withBrowser(async (browser) => {
    const machine = { ...thisMachine(), browser: browser.version() };
    const measured: PageCost[] = [];
    for (const page of await pagesOf(origin, token))
      if (page.name.includes(only ?? '')) measured.push(await measurePage(browser, origin, page, visitCount));
    print(measured);
    if (only !== undefined) for (const cost of measured) console.log(`${cost.name}\n${cost.waterfall}`);
    if (quick || only !== undefined) return;
    const loadAverageAfter = thisMachine().loadAverage;
    saveResult('page-weight', {
      machine: { ...machine, loadAverageAfter },
      throttle: slow4g,
      visits: visitCount,
      pages: measured,
    });
  });
}

/**
 * The cost of a page: times of all visits in milliseconds, with their spread, and the sizes of the last visit in bytes.
 */
type PageCost = {
  readonly name: string;
  readonly firstPaintMs: Spread;
  readonly largestPaintMs: Spread;
  readonly blockingMs: Spread;
  readonly blockingWholeLoadMs: Spread;
  readonly layoutShift: Spread;
  readonly largestPaint: string;
  readonly scriptsAndStyles: ByteSizes;
  /** The HTML document; the payers' pages contain their styles. */
  readonly document: ByteSizes;
  /** The bytes transferred in all, with headers. */
  readonly wire: number;
  readonly requests: readonly Body[];
  /** The requests of the last visit along time. */
  readonly waterfall: string;
  readonly complaints: readonly string[];
};

async function measurePage(
  browser: Browser,
  origin: string,
  { name, path, ...visitor }: MeasuredPage,
  visitCount: number,
): Promise<PageCost> {
  const url = new URL(path, origin).href;
  const measured: Visit[] = [];
  // The first visit only warms up server and browser, and is not measured. Each visit has its own cache.
  let last = await visit(browser, url, slow4g, visitor);
  while (measured.length < visitCount) {
    last = await visit(browser, url, slow4g, visitor);
    measured.push(last);
  }
  const spread = (figure: (visit: Visit) => number, digits = 0) =>
    spreadOf(measured.map((visit) => Math.round(figure(visit) * 10 ** digits) / 10 ** digits));
  return {
    name,
    firstPaintMs: spread((visit) => visit.firstPaintMs),
    largestPaintMs: spread((visit) => visit.largestPaintMs),
    blockingMs: spread((visit) => visit.blockingMs),
    blockingWholeLoadMs: spread((visit) => visit.blockingWholeLoadMs),
    layoutShift: spread((visit) => visit.layoutShift, 4),
    largestPaint: last.largestPaint,
    scriptsAndStyles: sumOf(last.bodies.filter(({ kind }) => kind === 'javascript' || kind === 'css')),
    document: sumOf(last.bodies.filter(({ kind }) => kind === 'html')),
    wire: last.bodies.reduce((sum, { wire }) => sum + wire, 0),
    requests: last.bodies,
    waterfall: drawWaterfall({ ...last, requests: last.requests.map(shorten) }),
    complaints: [...new Set(measured.flatMap((visit) => visit.complaints))],
  };
}

/** Without the content hash, so that waterfalls of two builds can be compared. */
function shorten(request: TimedRequest): TimedRequest {
  return { ...request, path: request.path.replace(/-[\w-]{7,8}(?=\.\w+$)/, '') };
}

function print(measured: readonly PageCost[]): void {
  const range = ({ median, lowest, highest }: Spread) => `${median} (${lowest}–${highest})`;
  const rows = measured.map((cost) => [
    cost.name,
    {
      'JS+CSS gzip': cost.scriptsAndStyles.gzip,
      brotli: cost.scriptsAndStyles.brotli,
      'HTML gzip': cost.document.gzip,
      wire: cost.wire,
      requests: cost.requests.length,
      'FCP ms': range(cost.firstPaintMs),
      'LCP ms': range(cost.largestPaintMs),
      'TBT ms': range(cost.blockingMs),
      'blocking ms': range(cost.blockingWholeLoadMs),
      CLS: range(cost.layoutShift),
      complaints: cost.complaints.length,
    },
  ]);
  console.table(Object.fromEntries(rows));
  for (const { name, complaints } of measured)
    for (const complaint of complaints) console.log(`${name}: ${complaint}`);
}
