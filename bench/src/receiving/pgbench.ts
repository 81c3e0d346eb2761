// pgbench is PostgreSQL's own benchmark. Figures are compared with it, since it depends on the machine as they do.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const debianFolder = '/usr/lib/postgresql';

/**
 * Returns the path of pgbench. Where it is missing, root on Debian gets its package installed, without a
 * running server.
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
  // Debian's pgbench on the PATH is a wrapper that selects a version; the program itself is preferred.
  return [...byVersion, ...onPath].find((file) => existsSync(file));
}

function install(): void {
  console.log('pgbench is missing: installing Debian’s postgresql package (its server is not started) ...');
  // By default the package creates and starts a cluster.
  mkdirSync('/etc/postgresql-common', { recursive: true });
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) writeFileSync(settings, 'create_main_cluster = false\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'postgresql']])
    spawnSync('apt-get', command, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The length of a run: a time, or a number of transactions per client. */
export type PgbenchLength = { readonly seconds: number } | { readonly transactions: number };

/** pgbench against one database of the cluster. */
export type Pgbench = {
  readonly version: string;
  /** The number of runs so far. */
  readonly runs: number;
  /**
   * Returns transactions per second, of pgbench's default script (tpcb-like) with 16 clients and prepared
   * statements.
   */
  run(length: PgbenchLength): Promise<number>;
};

/** Creates pgbench's tables in the database at `url`, and ends running processes of pgbench at the end. */
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
  let runs = 0;
  return {
    version: spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    get runs() {
      return runs;
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
      runs += 1;
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
