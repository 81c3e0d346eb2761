// Installs the repository's packages, among them the version of Node that the repository pins, and runs its
// TypeScript files on that Node. This file is plain JavaScript for Node 14.13 and later, since it runs before
// the pinned Node exists.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const NODE_MAJOR = 24;
const lockFile = join(root, 'package-lock.json');
const pinnedNode = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
const stampFile = join(root, 'node_modules', '.jangada-installed');

/** Installs the packages of package-lock.json unless node_modules is complete. Ends the process on failure. */
export function ensureInstalled() {
  const lock = readFileSync(lockFile, 'utf8');
  const stamp = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
  if (readOr(stampFile, '') === stamp) return;
  const requiredPackages = JSON.parse(lock).packages;
  if (!isComplete(requiredPackages)) {
    console.log('Installing packages (the first time this takes about a minute) ...');
    install(process.execPath);
    // npm leaves out optional packages that an old Node could not run. The pinned Node, installed by now, can
    // run them.
    if (!isComplete(requiredPackages)) install(findNode());
  }
  writeFileSync(stampFile, stamp);
}

/** Compares npm's own record of node_modules with the lock file's packages for this platform. */
function isComplete(requiredPackages) {
  const installed = JSON.parse(readOr(join(root, 'node_modules', '.package-lock.json'), '{}')).packages || {};
  return Object.keys(requiredPackages)
    .filter((path) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every((path) => {
      const required = requiredPackages[path];
      const entry = installed[path];
      if (entry) return entry.version === required.version && entry.link === required.link;
      return required.optional === true && !isForThisPlatform(required);
    });
}

/**
 * Whether an optional package is for this platform. A package that names no platform was brought by a package for another
 * platform.
 */
function isForThisPlatform(entry) {
  if (!entry.os && !entry.cpu) return false;
  // A list such as ['!win32'] allows everything but its entries.
  const fits = (list, value) =>
    !list || list.includes(value) || (list[0][0] === '!' && !list.includes(`!${value}`));
  return fits(entry.os, process.platform) && fits(entry.cpu, process.arch) && fits(entry.libc, libc());
}

function libc() {
  if (process.platform !== 'linux' || !process.report) return undefined;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

function install(node) {
  // The build needs the development packages too, whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = npm(node, args);
  if (status === 0) return replaceInstallScripts();
  const reason = error ? ` (${error.message})` : '';
  fail(
    `The packages could not be installed${reason}. It takes npm 7 or later; "npm ci" in ${root} shows more.`,
  );
}

/**
 * Does the work of the packages' install scripts, which are disabled. It makes the links inside the database's package now,
 * because the user who runs the gateway later may lack write access, and `.bin/node`, which older versions of npm remove
 * together with the Node of other platforms.
 */
function replaceInstallScripts() {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinnedNode) && !existsSync(link)) symlinkSync(relative(dirname(link), pinnedNode), link);
  const module = join(root, 'server', 'src', 'db', 'embedded-binaries.ts');
  const script = `import(${JSON.stringify(module)}).then((postgres) => postgres.embeddedBinaries()).catch(() => {})`;
  spawnSync(findNode(), ['-e', script], { stdio: 'ignore' });
}

/** Runs the npm that started this process, or the npm on the path, with the given Node. */
function npm(node, args) {
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] };
  const npmScript = process.env.npm_execpath;
  if (npmScript && /npm-cli\.c?js$/.test(npmScript)) return spawnSync(node, [npmScript, ...args], options);
  const env = Object.assign({}, process.env, { PATH: dirname(node) + delimiter + process.env.PATH });
  return spawnSync('npm', args, Object.assign(options, { env, shell: process.platform === 'win32' }));
}

/** Returns the path of the pinned Node, or of the current Node where no pinned one fits the platform. Else ends the process. */
export function findNode() {
  const { stdout } = spawnSync(pinnedNode, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (parseInt(stdout || '0', 10) >= NODE_MAJOR) return pinnedNode;
  if (parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  return fail(
    `Jangada needs Node ${NODE_MAJOR}; none comes with it for ${process.platform} ${process.arch}. Install it and try again.`,
  );
}

/**
 * Runs a TypeScript file of the repository on the pinned Node, and ends with its exit code. Signals are passed on to the
 * program. It notices the end of this process, even by kill -9, because its channel closes ('disconnect').
 */
export function runTypeScript(file, args) {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const env = Object.assign(
    { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') },
    process.env,
  );
  const child = spawn(findNode(), [resolve(root, file), ...args], { cwd: root, env, stdio });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) whenParentIsGone(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`${file} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

/**
 * Calls back when npm, which started this process, is gone. A killed npm sends no signal, and the shell that npm started may
 * survive npm, so both are polled.
 */
function whenParentIsGone(callback) {
  const initialAncestors = ancestors();
  const poll = setInterval(() => {
    if (ancestors() === initialAncestors) return;
    clearInterval(poll);
    callback();
  }, 250);
  poll.unref();
}

/**
 * Returns the process ids of our ancestors: npm, or else the shell that npm started followed by npm, where the system shows
 * the parent of the shell.
 */
function ancestors() {
  const shell = readOr(`/proc/${process.ppid}/stat`, '').match(/^\d+ \((?:sh|dash|bash)\) \S (\d+)/);
  return shell ? `${process.ppid} ${shell[1]}` : `${process.ppid}`;
}

function readOr(file, fallback) {
  try {
    return readFileSync(file, 'utf8');
  } catch (_) {
    return fallback;
  }
}

function fail(message) {
  console.error(message);
  return process.exit(1);
}
