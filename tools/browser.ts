import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { copyClockVariables } from './test-moment.ts';

/** The launch options of Playwright, the library that controls the browser of the tests. */
export type BrowserLaunchOptions = { executablePath?: string; args: string[]; env?: Record<string, string> };

/**
 * Features of the browser that our pages do not need. The first two are internal pages that the browser loads into
 * every window for an invisible address bar; they make up three quarters of the cost of a new window. The others are
 * Playwright's own list for the switch `--disable-features`, repeated here because a browser that gets the same
 * switch twice uses only the second.
 */
const disabledFeatures = [
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
 * Returns Playwright's launch options for this machine. They select Chromium's headless shell where one is installed,
 * since the shell renders pages with two thirds of the work. With `whole` they select the complete browser, which can
 * also show notifications. The pages under test are our own, so the browser runs without its sandbox, which neither
 * root nor a container supports; the other switches prevent calls to other servers.
 */
export function browserLaunchOptions({ whole = false } = {}): BrowserLaunchOptions {
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
    `--disable-features=${disabledFeatures}`,
  ];
  return { args, ...(path !== undefined && { executablePath: path }), ...withoutMovedClock() };
}

/**
 * Returns the environment without the variables that move the clock of the tests: a browser hangs under a moved
 * clock, so the tests move the clocks of its pages instead.
 */
function withoutMovedClock(): Pick<BrowserLaunchOptions, 'env'> {
  const clockVariables = copyClockVariables(process.env);
  if (Object.keys(clockVariables).length === 0) return {};
  const names = Object.keys(process.env).filter((name) => !(name in clockVariables));
  return { env: Object.fromEntries(names.map((name) => [name, process.env[name] ?? ''])) };
}

/** Returns the path of the first Chromium or Chrome that is installed; undefined if there is none. */
function systemBrowser(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return findOnPath(...names) ?? (existsSync(macPath) ? macPath : undefined);
}

const headlessShell = (): string | undefined => findOnPath('chromium-headless-shell');

function findOnPath(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/**
 * Installs the missing browsers for the tests: with apt as root on Debian, otherwise with Playwright. Returns the
 * environment variables by which the tests find the browser.
 * @throws if there is still no browser
 */
export function installBrowsers(): { CHROMIUM_PATH?: string } {
  const configuredPath = process.env['CHROMIUM_PATH'];
  if (configuredPath === undefined && !(systemBrowser() && headlessShell())) installDebianPackages();
  if (configuredPath === undefined && systemBrowser() !== undefined) return {};
  const path = configuredPath ?? downloadPlaywrightBrowser();
  if (path === undefined || !existsSync(path))
    throw new Error(
      `No browser for the tests${path ? ` at ${path}` : ''}: install Chromium or set CHROMIUM_PATH.`,
    );
  return { CHROMIUM_PATH: path };
}

function installDebianPackages(): void {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  console.log('Installing Chromium for the browser tests ...');
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  for (const name of ['chromium', 'chromium-headless-shell'])
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
}

/** Returns the path of Playwright's own Chromium, after downloading it if it is missing. */
function downloadPlaywrightBrowser(): string | undefined {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('playwright-core/package.json')), 'cli.js');
  const printPath = "process.stdout.write(require('playwright-core').chromium.executablePath())";
  const path = spawnSync(process.execPath, ['-e', printPath], { cwd: dirname(cli), encoding: 'utf8' }).stdout;
  if (path !== '' && existsSync(path)) return path;
  console.log("Downloading Playwright's Chromium for the browser tests ...");
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return path === '' ? undefined : path;
}
