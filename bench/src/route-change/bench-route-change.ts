import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { signInAsDemoMerchant } from '../../../e2e/stack.ts';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { slowProcessor, withBrowser } from '../browser.ts';
import { type Spread, spreadOf } from '../statistics.ts';
import { measureSandbox } from '../with-product.ts';

/** The screens in the order of the tour: the path of each screen, and the text of its link in the menu. */
const tour = [
  ['/wallet', 'Carteira'],
  ['/transactions', 'Todas as Transações'],
  ['/pix-payment', 'Criar Pagamento'],
  ['/withdrawals', 'Sacar'],
  ['/withdrawal-history', 'Histórico de Saques'],
  ['/statement', 'Extrato'],
  ['/api-keys', 'Chaves de API'],
  ['/pix-api-docs', 'Documentação API'],
  ['/dashboard', 'Início'],
] as const;

const cpuSlowdown = 4;
const idleMs = 600;
const timeoutMs = 20_000;

/**
 * Measures the longest task of the browser during a change of screens on a slow processor. While a task runs, the page
 * cannot respond to input. The bench uses the sandbox at the given origin, or one that it starts. With `--quick` it
 * makes one tour and stores nothing.
 */
export async function benchRouteChange(args: readonly string[]): Promise<BenchOutcome> {
  return measureSandbox(args, measureTours);
}

/** Makes one tour, and counts the screens that were reached before and after their code was loaded. */
export async function runSmallRouteChange(origin: string): Promise<Counts> {
  const token = await signInAsDemoMerchant({ url: origin });
  let counts: Counts = {};
  await withBrowser(async (browser) => {
    const { first, again } = await makeTour(browser, origin, token, 1);
    counts = { first: first.size, again: again.size };
  });
  return counts;
}

async function measureTours(origin: string, quick: boolean): Promise<void> {
  const rounds = quick ? 1 : 5;
  const token = await signInAsDemoMerchant({ url: origin });
  await withBrowser(async (browser) => {
    const machine = { ...thisMachine(), browser: browser.version() };
    const tours: Tour[] = [];
    while (tours.length < rounds) tours.push(await makeTour(browser, origin, token, cpuSlowdown));
    const changes = tour.map(([path]) => costOf(path, tours));
    print(changes);
    if (quick) return;
    saveResult('route-change', {
      machine: { ...machine, loadAverageAfter: thisMachine().loadAverage },
      cpuSlowdown,
      rounds,
      changes,
    });
  });
}

/**
 * The measurement of one change of screens: its longest task, and the slowest scripts of its longest frame
 * (`blame`).
 */
type Change = { readonly longestMs: number; readonly blame: readonly string[] };
/** The change to each screen, by its path: before its code was loaded (`first`), and afterwards (`again`). */
type Tour = Readonly<Record<'first' | 'again', ReadonlyMap<string, Change>>>;

type ChangeCost = {
  readonly path: string;
  readonly firstMs: Spread;
  readonly againMs: Spread;
  readonly blame: readonly string[];
};

/** Goes through the screens twice, in a new browser context. */
async function makeTour(browser: Browser, origin: string, token: string, slowdown: number): Promise<Tour> {
  const context = await browser.newContext({ viewport: { width: 1350, height: 940 }, locale: 'pt-BR' });
  try {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    await context.addInitScript({ path: fileURLToPath(new URL('./observe-tasks.js', import.meta.url)) });
    const page = await context.newPage();
    await page.goto(`${origin}/dashboard`);
    await page.getByRole('heading', { name: /^Olá/ }).waitFor();
    await slowProcessor(await context.newCDPSession(page), slowdown);
    await waitUntilIdle(page);
    return { first: await visitAll(page), again: await visitAll(page) };
  } finally {
    await context.close();
  }
}

async function visitAll(page: Page): Promise<Map<string, Change>> {
  const changes = new Map<string, Change>();
  for (const [path, linkText] of tour) {
    const link = page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: linkText, exact: true });
    await unfoldGroupOf(page, link);
    const { x, y } = await middleOf(link);
    await waitUntilIdle(page);
    await page.evaluate('observedTasks.length = 0; observedFrames.length = 0');
    // Like a user's, the pointer reaches the link before the click, and so starts preloading. The link was located
    // above, because a search at this point would be measured too.
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    await page.waitForURL((url) => url.pathname === path);
    await waitUntilIdle(page);
    changes.set(path, await page.evaluate<Change>('worstChange()'));
  }
  return changes;
}

async function middleOf(link: Locator): Promise<{ x: number; y: number }> {
  await link.scrollIntoViewIfNeeded();
  const box = await link.boundingBox();
  if (box === null) throw new Error('A link of the tour is not shown.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Opens folded groups of the sidebar until the link is visible. */
async function unfoldGroupOf(page: Page, link: Locator): Promise<void> {
  for (const group of await page.locator('aside button[aria-expanded="false"]').all()) {
    if (await link.isVisible()) return;
    await group.click();
  }
}

/** Waits until there has been no long task and no pending call for a while. */
async function waitUntilIdle(page: Page): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  // The debugger evaluates the script, so the page's content security policy does not block it.
  while ((await page.evaluate<number>('quietMs()')) < idleMs) {
    if (performance.now() > deadline) throw new Error(`${page.url()} was not idle in time.`);
    await sleep(100);
  }
}

function costOf(path: string, tours: readonly Tour[]): ChangeCost {
  const changesOf = (pass: keyof Tour) => tours.flatMap((madeTour) => madeTour[pass].get(path) ?? []);
  const spread = (pass: keyof Tour) =>
    spreadOf(changesOf(pass).map(({ longestMs }) => Math.round(longestMs)));
  const worst = changesOf('first').toSorted((a, b) => b.longestMs - a.longestMs)[0];
  return { path, firstMs: spread('first'), againMs: spread('again'), blame: worst?.blame ?? [] };
}

function print(changes: readonly ChangeCost[]): void {
  const range = ({ median, lowest, highest }: Spread) => `${median} (${lowest}–${highest})`;
  console.table(
    Object.fromEntries(
      changes.map(({ path, firstMs, againMs, blame }) => [
        path,
        { 'first, ms': range(firstMs), 'again, ms': range(againMs), 'longest frame': blame.join(', ') },
      ]),
    ),
  );
}
