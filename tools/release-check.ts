// npm run release:check: checks what must be true of a commit before its release. docs/releasing.md has the next steps.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A requirement: `check` returns what is wrong, or undefined. */
type Requirement = { readonly name: string; readonly check: () => string | undefined };

type PackageFile = { readonly version: string; readonly workspaces?: readonly string[] };
const packageIn = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const { version, workspaces = [] } = packageIn('.');

const requirements: readonly Requirement[] = [
  {
    name: 'everything is committed',
    check: () => (runGit('status', '--porcelain') === '' ? undefined : 'git status shows changes'),
  },
  {
    name: `the tag v${version} names this commit`,
    check() {
      const tagged = runGit('rev-list', '-n', '1', `v${version}`);
      if (tagged === '') return `there is no tag: git tag -a v${version} -m "Jangada ${version}"`;
      return tagged === runGit('rev-parse', 'HEAD') ? undefined : 'it names another commit';
    },
  },
  {
    name: 'the changelog begins with this version and its date',
    check() {
      const heading = /^## (.*)$/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[1] ?? '';
      const isDated = heading.startsWith(`${version} (`) && /\(\d{4}-\d{2}-\d{2}\)$/.test(heading);
      return isDated ? undefined : `its first heading is: ${heading}`;
    },
  },
  {
    name: 'all packages have this version',
    check: () => joinedIfAny(workspaces.filter((folder) => packageIn(folder).version !== version)),
  },
  {
    name: 'the lock file names the contents of every package',
    check() {
      const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
      const incomplete = Object.entries<{ link?: true; integrity?: string }>(packages)
        .filter(([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity)
        .map(([path]) => path);
      return joinedIfAny(incomplete) ?? failureOf('npm', 'ci', '--dry-run', '--ignore-scripts');
    },
  },
  {
    name: 'the client can be packed',
    check: () => failureOf('npm', 'pack', '--dry-run', '--workspace', 'sdk'),
  },
  {
    name: 'the container image builds',
    check() {
      const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['--version']).status === 0);
      if (engine === undefined) return 'neither docker nor podman is installed';
      return failureOf(engine, 'build', '--file', 'ops/Containerfile', '--tag', `jangada:${version}`, '.');
    },
  },
];

const joinedIfAny = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : names.join(', ');

function runGit(...args: readonly string[]): string {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
}

/** Runs a program. Returns its error output if it fails, otherwise undefined. */
function failureOf(program: string, ...args: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().slice(-2000));
}

const failures = requirements.filter(({ name, check }) => {
  const failure = check();
  console.log(failure === undefined ? `ok     ${name}` : `FAILED ${name}: ${failure}`);
  return failure !== undefined;
});
process.exitCode = failures.length === 0 ? 0 : 1;
