// pgbench is PostgreSQL's own benchmark. Figures are compared with pgbench, because its speed depends on the machine in
// the same way.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const debianFolder = '/usr/lib/postgresql';

/**
 * Returns the path of pgbench. Where pgbench is missing, its package is installed if the user is root on Debian; the
 * server in that package is not started.
 * @throws if pgbench is still missing
 */
export function findOrInstallPgbench(): string {
  const found = findPgbench();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install();
  const installed = findPgbench();
  if (installed !== undefined) return installed;
  throw new Error('pgbench is missing: install it (on Debian and Ubuntu: apt-get install postgresql).');
}

export function findPgbench(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  const byVersion = existsSync(debianFolder)
    ? readdirSync(debianFolder)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(debianFolder, version, 'bin', 'pgbench'))
    : [];
  // Debian's pgbench on the PATH is a wrapper that selects a version, so the program itself is searched for first.
  return [...byVersion, ...onPath].find((file) => existsSync(file));
}

function install(): void {
  console.log('pgbench is missing: installing Debian’s postgresql package (its server is not started) ...');
  // Without this setting the package would create and start a cluster.
  mkdirSync('/etc/postgresql-common', { recursive: true });
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) writeFileSync(settings, 'create_main_cluster = false\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'postgresql']])
    spawnSync('apt-get', command, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The length of a run: a time, or a number of transactions per client. */
export type PgbenchLength = { readonly seconds: number } | { readonly transactions: number };

/** pgbench, prepared to run on one database of the cluster. */
export type Pgbench = {
  readonly version: string;
  /** The number of runs so far. */
  readonly runs: number;
  /**
   * Runs pgbench's default script (tpcb-like) with 16 clients and prepared statements. Returns the transactions per
   * second.
   */
  run(length: PgbenchLength): Promise<number>;
};

/** Creates pgbench's tables in the database at `url`. Processes of pgbench that still run are ended by `onEnd`. */
export async function preparePgbench(
  program: string,
  url: string,
  scale: number,
  onEnd: (end: () => Promise<unknown>) => void,
): Promise<Pgbench> {
  const running = new Set<ChildProcess>();
  onEnd(async () => {
    for (const child of running) child.kill('SIGTERM');
    await Promise.all([...running].map((child) => once(child, 'close')));
  });
  await runProgram(running, program, ['--initialize', '--quiet', `--scale=${scale}`, url]);
  let runCount = 0;
  return {
    version: spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    get runs() {
      return runCount;
    },
    async run(length) {
      const text = await runProgram(running, program, [
        '--client=16',
        '--jobs=2',
        '--protocol=prepared',
        'seconds' in length ? `--time=${length.seconds}` : `--transactions=${length.transactions}`,
        url,
      ]);
      const rate = /^tps = ([\d.]+)/m.exec(text)?.[1];
      if (rate === undefined) throw new Error(`pgbench reported no rate:\n${text}`);
      runCount += 1;
      return Number(rate);
    },
  };
}

async function runProgram(
  running: Set<ChildProcess>,
  program: string,
  args: readonly string[],
): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  running.delete(child);
  if (code !== 0) throw new Error(`pgbench failed (${code}):\n${output.slice(-2000)}`);
  return output;
}
