// The second half of npm test, on the pinned Node: finds a browser, builds what is stale, runs the tests, and ends
// with one line of figures: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedBrowser } from './browser.ts';
import { buildStale } from './build.ts';
import { countTests, type Outcome } from './count-tests.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2).filter((argument) => argument !== '--long');
const long = args.length < process.argv.length - 2;

/** What a long run multiplies: the properties through the first, races and kills through the second. */
const longRun = { PROPERTY_RUNS: '2000', LONG: '1' };

const projects = (...names: string[]) => names.flatMap((name) => ['--project', name]);
/**
 * All of the tests are two runs beside each other: those of the panel's parts draw in one browser and leave a core to the
 * others, and one run of Vitest has them wait for the others' end.
 */
const runs = args.length > 0 ? [args] : [projects('unit', 'server', 'e2e'), projects('web')];

/** Does one step before the tests. What goes wrong here counts as one failure, and the tests run all the same. */
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

/** Runs Vitest as a child with a report in a file of our own, so that nothing it prints can be taken for figures. */
async function runVitest(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Outcome> {
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
    env['CHROMIUM_PATH'] = installedBrowser();
  });
  failures += prepare(buildStale);
}
const outcomes = await Promise.all(runs.map((run) => runVitest(env, run)));
const sum = (of: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[of], 0);
const failed = sum('failed') + failures;
process.exitCode = failed === 0 ? 0 : 1;
for (const failure of outcomes.flatMap((outcome) => outcome.failures)) console.log(`failed: ${failure}`);
console.log(`${sum('passed')} passed, ${failed} failed`);
