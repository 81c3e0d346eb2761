// The second half of npm test, on the pinned Node: finds a browser, builds what is stale, runs the tests, and
// ends with one line of figures: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WORKERS_VARIABLE } from '../server/test/citus.ts';
import { CitusCluster } from '../server/test/citus-cluster.ts';
import { CLUSTER_VARIABLE } from '../server/test/cluster.ts';
import { installBrowsers } from './browser.ts';
import { buildStaleWorkspaces } from './build.ts';
import { countTests, type TestTally } from './count-tests.ts';
import { startStockServer, stockVersions } from './stock-postgres.ts';
import { environmentAt, momentOf } from './test-moment.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { args, isLong, moments } = argumentsOf(process.argv.slice(2));

/** The settings of a long run: more runs of each property, and more races and kills of processes. */
const longRunSettings = { PROPERTY_RUNS: '2000', LONG: '1' };

const projectArguments = (...names: string[]) => names.flatMap((name) => ['--project', name]);
/**
 * The arguments of each run of Vitest. A full run is two runs side by side: the web's component tests use one browser
 * and leave a core free, and within a single run the other tests would wait for them.
 */
const runs = args.length > 0 ? [args] : [projectArguments('unit', 'server', 'e2e'), projectArguments('web')];

/** Reads `--long`, and an `--at MOMENT` for each time at which to run the tests. All other arguments go to Vitest. */
function argumentsOf([first, ...rest]: readonly string[]): {
  args: string[];
  isLong: boolean;
  moments: string[];
} {
  if (first === undefined) return { args: [], isLong: false, moments: [] };
  if (first === '--at') {
    const [moment = '', ...remaining] = rest;
    const options = argumentsOf(remaining);
    return { ...options, moments: [moment, ...options.moments] };
  }
  const options = argumentsOf(rest);
  if (first === '--long') return { ...options, isLong: true };
  return { ...options, args: [first, ...options.args] };
}

/** Runs one step before the tests. Returns 1 if it fails, which counts as one failed test; the tests run anyway. */
function prepare(step: () => void): number {
  try {
    step();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** Whether the run includes tests that use a browser, judged by its arguments that name files. */
function usesBrowser(): boolean {
  const filters = args.filter((argument) => !argument.startsWith('-'));
  return filters.length === 0 || filters.some((filter) => /web|e2e|browser/.test(filter));
}

/**
 * Runs Vitest as a child process. The figures come from a report file, so that printed text is never taken for them.
 */
async function runVitest(testEnv: NodeJS.ProcessEnv, vitestArgs: readonly string[]): Promise<TestTally> {
  const directory = mkdtempSync(join(tmpdir(), 'jangada-report-'));
  const report = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...vitestArgs];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: testEnv,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => child.kill('SIGINT'));
  // Listening for the end of the parent must not keep this process running.
  process.channel?.unref();
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  try {
    return countTests(readFileSync(report, 'utf8'), exitCode);
  } catch {
    console.error('The test run ended without a report.');
    return { passed: 0, failed: 1, failures: [] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Runs the server's tests once more on each supported PostgreSQL with its default settings, as operators have it. These
 * runs are short ones, without the settings of a long run.
 */
async function runOnStockServers(): Promise<TestTally[]> {
  const tallies: TestTally[] = [];
  for (const version of stockVersions) {
    console.log(`The tests of the server on ${version} with its own settings:`);
    const server = await startStockServer(version);
    try {
      const settings = { TEST_POSTGRES_URL: server.url, LONG: undefined, PROPERTY_RUNS: undefined };
      tallies.push(await runVitest({ ...env, ...settings }, projectArguments('server')));
    } finally {
      server.stop();
    }
  }
  return tallies;
}

/** Runs the server's tests once more, at their short numbers, on databases that are spread over a cluster. */
async function runOnCluster(): Promise<TestTally> {
  console.log('The tests of the server on a Citus cluster:');
  const cluster = await CitusCluster.start();
  try {
    const settings = {
      [CLUSTER_VARIABLE]: cluster.url('postgres'),
      [WORKERS_VARIABLE]: cluster.workerUrls('postgres').join(' '),
      LONG: undefined,
      PROPERTY_RUNS: undefined,
    };
    return await runVitest({ ...env, ...settings }, projectArguments('server'));
  } finally {
    cluster.stop();
  }
}

// From here on the file runs: it prepares, runs the tests at each moment, and prints the figures.
const env: NodeJS.ProcessEnv = { ...process.env, ...(isLong && longRunSettings) };
let failedStepCount = 0;
if (usesBrowser()) {
  failedStepCount += prepare(() => {
    Object.assign(env, installBrowsers());
  });
  failedStepCount += prepare(buildStaleWorkspaces);
}
const outcomes: TestTally[] = [];
for (const moment of moments.length > 0 ? moments : [undefined]) {
  if (moment !== undefined) console.log(`The tests at ${moment} of Brasília:`);
  const now = new Date();
  const clock = moment === undefined ? {} : environmentAt(momentOf(moment, now), now);
  outcomes.push(...(await Promise.all(runs.map((run) => runVitest({ ...env, ...clock }, run)))));
}
if (isLong && args.length === 0) outcomes.push(...(await runOnStockServers()), await runOnCluster());
const sum = (field: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[field], 0);
const failed = sum('failed') + failedStepCount;
process.exitCode = failed === 0 ? 0 : 1;
for (const failure of outcomes.flatMap((outcome) => outcome.failures)) console.log(`failed: ${failure}`);
console.log(`${sum('passed')} passed, ${failed} failed`);
