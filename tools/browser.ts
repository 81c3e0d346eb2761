import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { clockOf } from './test-moment.ts';

/** What tests hand to Playwright to start a browser: the one of `CHROMIUM_PATH`, without a window or a neighbour. */
export type BrowserLaunch = { executablePath?: string; args: string[]; env?: Record<string, string> };

/**
 * Parts of the browser that no page of ours needs. The first two are pages of its own, which it loads into every window for
 * an address bar that nobody sees: three quarters of what a new visitor costs. The others are those that Playwright turns off
 * by the same switch, of which a browser heeds the last.
 */
const needless = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * Playwright's launch options for this machine: Chromium's headless shell where there is one, which draws the same pages
 * with two thirds of the work, or the `whole` browser, which can also show notifications. The pages under test are our own, so the browser goes without its
 * sandbox, which neither root nor a container has; the other switches keep it from calling anybody else.
 */
export function browserLaunch({ whole = false } = {}): BrowserLaunch {
  const shell = whole ? undefined : headlessShell();
  const path = process.env['CHROMIUM_PATH'] ?? shell ?? systemBrowser();
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${needless}`,
  ];
  return { args, ...(path !== undefined && { executablePath: path }), ...atTheMachinesTime() };
}

/** A browser hangs under a moved clock: its pages have theirs moved instead. */
function atTheMachinesTime(): Pick<BrowserLaunch, 'env'> {
  const moved = clockOf(process.env);
  if (Object.keys(moved).length === 0) return {};
  const names = Object.keys(process.env).filter((name) => !(name in moved));
  return { env: Object.fromEntries(names.map((name) => [name, process.env[name] ?? ''])) };
}

/** The first Chromium or Chrome on the path. */
function systemBrowser(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return onPath(...names) ?? (existsSync(onMac) ? onMac : undefined);
}

const headlessShell = (): string | undefined => onPath('chromium-headless-shell');

function onPath(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/**
 * Installs what the machine lacks of the browsers for the tests: as root on Debian by apt, else one by Playwright.
 * Answers what the environment needs for the tests to find them.
 * @throws when there is no browser in the end
 */
export function installBrowsers(): { CHROMIUM_PATH?: string } {
  const given = process.env['CHROMIUM_PATH'];
  if (given === undefined && !(systemBrowser() && headlessShell())) fromDebian();
  if (given === undefined && systemBrowser() !== undefined) return {};
  const path = given ?? fromPlaywright();
  if (path === undefined || !existsSync(path))
    throw new Error(
      `No browser for the tests${path ? ` at ${path}` : ''}: install Chromium or set CHROMIUM_PATH.`,
    );
  return { CHROMIUM_PATH: path };
}

function fromDebian(): void {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  console.log('Installing Chromium for the browser tests ...');
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  for (const name of ['chromium', 'chromium-headless-shell'])
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
}

function fromPlaywright(): string | undefined {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('playwright-core/package.json')), 'cli.js');
  const find = "process.stdout.write(require('playwright-core').chromium.executablePath())";
  const path = spawnSync(process.execPath, ['-e', find], { cwd: dirname(cli), encoding: 'utf8' }).stdout;
  if (path !== '' && existsSync(path)) return path;
  console.log("Downloading Playwright's Chromium for the browser tests ...");
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return path === '' ? undefined : path;
}
