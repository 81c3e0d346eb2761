// npm run check: types, lint and the project's own rules, in parallel.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** Caches the check of unchanged files. */
function types(project: string): readonly [string, ...string[]] {
  const memory = join(root, 'node_modules', '.cache', 'types', `${project}.tsbuildinfo`);
  return [bin('tsc'), '-p', project, '--incremental', '--tsBuildInfoFile', memory];
}

const checks: Record<string, readonly [string, ...string[]]> = {
  types: types('tsconfig.json'),
  'types of the sdk': types('sdk'),
  'types of its command line': types('sdk/tsconfig.cli.json'),
  'types of the web': types('web'),
  'types of the service worker': types('web/src/service-worker'),
  'types of the browser tests': types('e2e'),
  'lint and format': [bin('biome'), 'check', '.'],
  'rules of the project': [process.execPath, vitest, 'run', '--project=unit', '--reporter=dot', 'tools/'],
};

/** Runs one check; its output is shown only when it fails. */
function run(name: string, [program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    const end = (ok: boolean) => {
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}${ok ? '' : `\n${output}`}`);
      resolve(ok);
    };
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;
