import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { clockOf } from './test-moment.ts';

/** Playwright's launch options of the tests: the browser of `CHROMIUM_PATH`, headless. */
export type BrowserLaunch = { executablePath?: string; args: string[]; env?: Record<string, string> };

/**
 * Parts of the browser that our pages do not need. The first two are internal pages that it loads into every window for
 * an invisible address bar: three quarters of the cost of a new visitor. The others are Playwright's own list for the
 * same switch, of which a browser heeds only the last.
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
 * Playwright's launch options for this machine: Chromium's headless shell where available, which renders the same pages
 * with two thirds of the work, or the `whole` browser, which can also show notifications. The pages under test are our
 * own, so the browser runs without its sandbox, which neither root nor a container supports; the other switches prevent
 * calls to other servers.
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

/** A browser hangs under a moved clock, so its pages' clocks are moved instead. */
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
 * Installs the missing browsers for the tests: by apt as root on Debian, otherwise by Playwright. Returns the
 * environment that the tests need to find them.
 * @throws if there is no browser afterwards
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
