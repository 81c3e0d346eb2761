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
 * Playwright's launch options for this machine. The pages under test are our own, so the browser goes without its
 * sandbox, which neither root nor a container has; the other switches keep it from calling anybody else.
 */
export function browserLaunch(): BrowserLaunch {
  const path = process.env['CHROMIUM_PATH'] ?? systemBrowser();
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
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...found, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find((path) =>
    existsSync(path),
  );
}

/**
 * The browser for the tests, installed when the machine has none: as root on Debian by apt, else by Playwright.
 * @throws when neither can be had
 */
export function installedBrowser(): string {
  const path = process.env['CHROMIUM_PATH'] ?? systemBrowser() ?? fromDebian() ?? fromPlaywright();
  if (path === undefined || !existsSync(path))
    throw new Error(
      `No browser for the tests${path ? ` at ${path}` : ''}: install Chromium or set CHROMIUM_PATH.`,
    );
  return path;
}

function fromDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  console.log('Installing Chromium for the browser tests ...');
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  return systemBrowser();
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
