import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const installed = '/usr/lib/postgresql';

/** Where pgbench is. Debian's package brings it; as root it is installed, without leaving a server running. */
export function findPgbench(): string {
  const found = lookForPgbench();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install();
  const brought = lookForPgbench();
  if (brought !== undefined) return brought;
  throw new Error('pgbench is missing: install it (on Debian and Ubuntu: apt-get install postgresql).');
}

export function lookForPgbench(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  const byVersion = existsSync(installed)
    ? readdirSync(installed)
        .toSorted((one, other) => Number(other) - Number(one))
        .map((version) => join(installed, version, 'bin', 'pgbench'))
    : [];
  // On the path Debian puts a wrapper that picks a version; the program itself is taken first.
  return [...byVersion, ...onPath].find((file) => existsSync(file));
}

function install(): void {
  console.log('pgbench is missing: installing Debian’s postgresql package (its server is not started) ...');
  // The package makes and starts a cluster of its own unless told not to.
  mkdirSync('/etc/postgresql-common', { recursive: true });
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) writeFileSync(settings, 'create_main_cluster = false\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'postgresql']])
    spawnSync('apt-get', command, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** How long it runs: for a time, or until each client has made so many transactions. */
export type PgbenchLength = { readonly seconds: number } | { readonly transactions: number };

/** pgbench against one database of the cluster. */
export type Pgbench = {
  readonly version: string;
  /** How often it has run so far. */
  readonly runs: number;
  /** tpcb-like, 16 clients, prepared: transactions a second. */
  run(length: PgbenchLength): Promise<number>;
};

/** Fills the database with the tables of pgbench. */
export async function preparePgbench(
  program: string,
  url: string,
  scale: number,
  onEnd: (end: () => Promise<unknown>) => void,
): Promise<Pgbench> {
  const running = new Set<ChildProcess>();
  // Whatever runs when it ends is broken off.
  onEnd(async () => {
    for (const child of running) child.kill('SIGTERM');
    await Promise.all([...running].map((child) => once(child, 'close')));
  });
  await call(running, program, ['--initialize', '--quiet', `--scale=${scale}`, url]);
  let runs = 0;
  return {
    version: spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    get runs() {
      return runs;
    },
    async run(length) {
      const text = await call(running, program, [
        '--client=16',
        '--jobs=2',
        '--protocol=prepared',
        'seconds' in length ? `--time=${length.seconds}` : `--transactions=${length.transactions}`,
        url,
      ]);
      const rate = /^tps = ([\d.]+)/m.exec(text)?.[1];
      if (rate === undefined) throw new Error(`pgbench said nothing of its speed:\n${text}`);
      runs += 1;
      return Number(rate);
    },
  };
}

async function call(running: Set<ChildProcess>, program: string, args: readonly string[]): Promise<string> {
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
