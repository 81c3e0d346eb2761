// npm run check: types, lint and the project's own rules, in parallel.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** Returns the command that checks the types of a project. The results for unchanged files are cached. */
function typeCheck(project: string): readonly [string, ...string[]] {
  const cacheFile = join(root, 'node_modules', '.cache', 'types', `${project}.tsbuildinfo`);
  return [bin('tsc'), '-p', project, '--incremental', '--tsBuildInfoFile', cacheFile];
}

/** The command of each check. */
const checks: Record<string, readonly [string, ...string[]]> = {
  types: typeCheck('tsconfig.json'),
  'types of the sdk': typeCheck('sdk'),
  'types of its command line': typeCheck('sdk/tsconfig.cli.json'),
  'types of the web': typeCheck('web'),
  'types of the service worker': typeCheck('web/src/service-worker'),
  'types of the browser tests': typeCheck('e2e'),
  'lint and format': [bin('biome'), 'check', '.'],
  'rules of the project': [process.execPath, vitest, 'run', '--project=unit', '--reporter=dot', 'tools/'],
};

/** Runs one check, and returns whether it passed. The output of a check is shown only if the check fails. */
function run(name: string, [program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    const report = (hasPassed: boolean) => {
      console.log(hasPassed ? `ok     ${name}` : `FAILED ${name}\n${output}`);
      resolve(hasPassed);
    };
    child.once('error', (error) => {
      output += error.message;
      report(false);
    });
    child.once('close', (code) => report(code === 0));
  });
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;
