// The second half of npm test, on the pinned Node: finds a browser, builds what is stale, runs the tests, and ends with
// one line of figures: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installBrowsers } from './browser.ts';
import { buildStale } from './build.ts';
import { countTests, type TestTally } from './count-tests.ts';
import { environmentAt, momentOf } from './test-moment.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { args, long, moments } = argumentsOf(process.argv.slice(2));

/** Multipliers of a long run: the first for properties, the second for races and kills. */
const longRun = { PROPERTY_RUNS: '2000', LONG: '1' };

const projects = (...names: string[]) => names.flatMap((name) => ['--project', name]);
/**
 * A full run is two runs of Vitest side by side: the web's component tests use one browser and leave a core free, and
 * within a single run the others would wait for them.
 */
const runs = args.length > 0 ? [args] : [projects('unit', 'server', 'e2e'), projects('web')];

/** `--long`, and `--at MOMENT` for each time to run the tests at; all other arguments go to Vitest. */
function argumentsOf([first, ...rest]: readonly string[]): {
  args: string[];
  long: boolean;
  moments: string[];
} {
  if (first === undefined) return { args: [], long: false, moments: [] };
  if (first === '--at') {
    const [moment = '', ...others] = rest;
    const given = argumentsOf(others);
    return { ...given, moments: [moment, ...given.moments] };
  }
  const given = argumentsOf(rest);
  return first === '--long' ? { ...given, long: true } : { ...given, args: [first, ...given.args] };
}

/** Runs one step before the tests. A failure counts as one failed test, and the tests run anyway. */
function prepare(step: () => void): number {
  try {
    step();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

function usesBrowser(): boolean {
  const filters = args.filter((argument) => !argument.startsWith('-'));
  return filters.length === 0 || filters.some((filter) => /web|e2e|browser/.test(filter));
}

/** Runs Vitest as a child with a report file of our own, so that its output cannot be mistaken for the figures. */
async function runVitest(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<TestTally> {
  const directory = mkdtempSync(join(tmpdir(), 'jangada-report-'));
  const report = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args];
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => child.kill('SIGINT'));
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

const env: NodeJS.ProcessEnv = { ...process.env, ...(long && longRun) };
let failures = 0;
if (usesBrowser()) {
  failures += prepare(() => {
    Object.assign(env, installBrowsers());
  });
  failures += prepare(buildStale);
}
const outcomes: TestTally[] = [];
for (const moment of moments.length > 0 ? moments : [undefined]) {
  if (moment !== undefined) console.log(`The tests at ${moment} of Brasília:`);
  const now = new Date();
  const clock = moment === undefined ? {} : environmentAt(momentOf(moment, now), now);
  outcomes.push(...(await Promise.all(runs.map((run) => runVitest({ ...env, ...clock }, run)))));
}
const sum = (of: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[of], 0);
const failed = sum('failed') + failures;
process.exitCode = failed === 0 ? 0 : 1;
for (const failure of outcomes.flatMap((outcome) => outcome.failures)) console.log(`failed: ${failure}`);
console.log(`${sum('passed')} passed, ${failed} failed`);
