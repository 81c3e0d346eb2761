import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { installForTests } from './install-for-tests.ts';
import type { MoneyCall } from './money/load.ts';
import { seededRandom } from './money/random.ts';
import {
  expectBankMatchesBooks,
  startTraffic,
  startTrafficStand,
  stopTrafficStand,
  type TrafficStand,
  waitUntilNothingIsPending,
} from './money/traffic-stand.ts';
import { observeDatabase } from './observer.ts';

// Two web and two worker processes behind nginx, as docs/operating.md describes, are replaced one after the other by a
// newer version, whose migration runs while the older processes work.

const rounds = process.env['LONG'] === '1' ? 20 : 1;
const seed = Number(process.env['MONEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const repository = fileURLToPath(new URL('../../', import.meta.url));
const roles = ['web', 'web', 'worker', 'worker'] as const;

let directory: string;
let database: TestDatabase;
let stand: TrafficStand;
let nginx: ChildProcess;
let processes: { settings: Record<string, string>; running: GatewayProcess }[];

beforeAll(async () => {
  installForTests('nginx');
  directory = mkdtempSync(join(tmpdir(), 'jangada-rolling-'));
  database = await createTestDatabase();
  stand = await startTrafficStand(
    directory,
    () => database.ownerUrl,
    () => observeDatabase(database.ownerUrl),
  );
  // The processes are reached at the port that the bank and the merchants already know.
  const publicPort = new URL(stand.gateway.url).port;
  await stand.gateway.stop();
  processes = await Promise.all(roles.map(startProcess));
  nginx = await startNginx(publicPort, ports('web'));
  stand.gateway = {
    url: `http://127.0.0.1:${publicPort}`,
    kill: async () => {
      for (const { running } of processes) await running.kill();
    },
    stop: () => Promise.reject(new Error('The processes are stopped one by one')),
  };
});

afterAll(async () => {
  nginx.kill('SIGTERM');
  await once(nginx, 'exit');
  await stopTrafficStand(stand);
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

async function startProcess(role: (typeof roles)[number]) {
  const settings = {
    ...stand.settings(),
    ROLE: role,
    PORT: String(await findFreePort()),
    TRUST_PROXY: 'loopback',
  };
  return { settings, running: await startGatewayProcess(settings) };
}

const ports = (role: string) =>
  processes.flatMap(({ settings }) => (settings['ROLE'] === role ? [settings['PORT'] ?? ''] : []));

/** Starts nginx as ops/nginx.conf says, but without TLS and the server for notices. */
async function startNginx(port: string, targets: readonly string[]): Promise<ChildProcess> {
  const operators = readFileSync(join(repository, 'ops/nginx.conf'), 'utf8');
  const [site = ''] = operators.split('server {\n    listen 443 ssl;\n    server_name avisos');
  const configured = site
    .replaceAll(
      /server 127\.0\.0\.1:(3000|3010)/g,
      (_, known) => `server 127.0.0.1:${targets[known === '3000' ? 0 : 1]}`,
    )
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('location /psp/ { return 404; }', '')
    .replaceAll(/^ *(ssl_|server_name).*$/gm, '');
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${directory}/nginx.pid; error_log stderr crit; worker_processes 1; events {}
    http {
      access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
      fastcgi_temp_path ${directory}/fastcgi; uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
      ${configured}
    }`,
  );
  const started = spawn('nginx', ['-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const health = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200) return started;
    await sleep(50);
  }
}

/** Copies the server as a newer version that has one more migration. Returns the path of its program. */
function makeVersion(nth: number): string {
  const folder = join(directory, `version-${nth}`);
  for (const part of ['server/src', 'server/migrations', 'server/package.json', 'package.json'])
    cpSync(join(repository, part), join(folder, part), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(repository, 'server/node_modules'), join(folder, 'server/node_modules'));
  for (let later = 1; later <= nth; later += 1)
    writeFileSync(
      join(folder, 'server/migrations', `${9000 + later}_newer.sql`),
      `alter table charges add column newer_${later} text;
       alter table withdrawals add column newer_${later} text not null default '';
       create table newer_${later} (merchant_id bigint primary key);`,
    );
  return join(folder, 'server/src/main.ts');
}

test('replacing the processes by a newer version, one after the other, fails no call', async () => {
  console.log(`MONEY_SEED=${seed}`);
  const moves: MoneyCall[] = [];
  const endTraffic = startTraffic(stand, seededRandom(seed), moves);
  for (let round = 1; round <= rounds; round += 1) {
    const program = makeVersion(round);
    // As a verification of the books does: the migration needs the table that it reads.
    const reading = stand.db.transaction().execute(async (tx) => {
      await sql`select 1 from charges limit 1`.execute(tx);
      await sleep(6000);
    });
    for (const replaced of processes) {
      expect(await replaced.running.stop()).toBe(0);
      replaced.running = await startGatewayProcess(replaced.settings, program);
    }
    await reading;
    const failed = moves.filter(({ outcome, id }) => outcome === 'unknown' && id === undefined);
    expect(failed, `round ${round}`).toEqual([]);
  }
  await endTraffic();
  const outcomes = Map.groupBy(moves, ({ outcome }) => outcome);
  const counts = [...outcomes].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
  console.log(`${rounds} rolling upgrades: ${counts}`);
  expect(outcomes.get('unknown') ?? []).toEqual([]);
  expect(outcomes.get('never-sent') ?? []).toEqual([]);
  const { rows } = await sql`select 1 from schema_migrations where name like '9%'`.execute(stand.db);
  expect(rows).toHaveLength(rounds);
  await waitUntilNothingIsPending(stand);
  await expectBankMatchesBooks(stand, moves);
});
