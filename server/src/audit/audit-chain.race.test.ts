import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createSecrets } from '../secrets.ts';
import {
  checkpointAuditHead,
  insertAuditEntry,
  listAuditLog,
  type NewAuditEntry,
  readAuditCheckpoint,
  verifyChain,
} from './index.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));
const clock = createAdjustableClock();
const dataDir = mkdtempSync(join(tmpdir(), 'jangada-audit-'));
const config = readConfig({ DATA_DIR: dataDir });
const logged: unknown[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
let database: TestDatabase;
let db: Db;
let owner: Db;
let userId: number;
const deps = () => ({ db, clock, secrets, config, log });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  owner = createDb(createPool({ url: database.ownerUrl, max: 1 }));
  userId = await insertMerchant(db);
  await runAsOwner(
    'alter table audit_log disable trigger user; alter table audit_chain disable trigger user',
  );
  // A foreign key does not stop an attacker with the owner's rights.
  await runAsOwner('alter table audit_chain drop constraint audit_chain_entry_id_fkey');
});
beforeEach(async () => {
  await runAsOwner(`delete from audit_chain; delete from audit_log;
    update audit_head set entries = 0, last_mac = '', mac = ''`);
  rmSync(join(dataDir, 'audit-head'), { force: true });
  logged.length = 0;
});
afterAll(async () => {
  await Promise.all([db.destroy(), owner.destroy()]);
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

async function runAsOwner(statements: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(statements);
  await client.end();
}

const newEntry = (mark: number): NewAuditEntry => ({
  actor_id: userId,
  action: 'user updated',
  subject_id: userId,
  reason: `motivo ${mark} 'ç" \\ `,
  before: { z: 1, name: 'Água', nested: { b: [1, 0.1, null], a: -0 } },
  after: { mark, 'com espaço': true, a: '' },
});
const writeEntry = (mark: number) => inTransaction(deps(), (tx) => insertAuditEntry(tx, newEntry(mark)));
async function writeEntries(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let mark = 1; mark <= count; mark += 1) ids.push(await writeEntry(mark));
  return ids;
}
const verifyAll = async () => {
  const { findings } = await verifyChain(deps(), await readAuditCheckpoint(config));
  return findings.map(({ kind, detail }) => `${kind}: ${detail}`);
};

test('64 concurrent entries form one chain that contains each of them once', async () => {
  await Promise.all(Array.from({ length: 64 }, (_, mark) => writeEntry(mark)));
  expect(await verifyChain(deps(), undefined)).toEqual({ entryCount: 64, findings: [] });
  const links = await db.selectFrom('audit_chain').select('entry_id').execute();
  expect(new Set(links.map(({ entry_id }) => entry_id)).size).toBe(64);
});

test('several entries of one transaction are all chained, and an entry that is rolled back leaves no gap', async () => {
  await inTransaction(deps(), async (tx) => {
    for (let mark = 0; mark < 3; mark += 1) await insertAuditEntry(tx, newEntry(mark));
  });
  const failing = inTransaction(deps(), async (tx) => {
    await insertAuditEntry(tx, newEntry(4));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await writeEntry(5);
  expect(await verifyChain(deps(), undefined)).toEqual({ entryCount: 4, findings: [] });
});

test('entries written before there was a chain are chained together with the first entry written after', async () => {
  await runAsOwner(`insert into audit_log (at, actor_id, action, subject_id, before, after)
    select '2026-01-02T03:04:05.678901Z', 0, 'old', ${userId}, '{}', '{"a": 1}' from generate_series(1, 2001)`);
  expect(await verifyAll()).toEqual([]);
  await writeEntry(1);
  expect(await verifyChain(deps(), undefined)).toEqual({ entryCount: 2002, findings: [] });
});

test.each([
  ['actor_id', '0'],
  ['subject_id', '0'],
  ['action', `'balance adjusted'`],
  ['reason', `'outro'`],
  ['reason', 'null'],
  ['before', `before || '{"z": 2}'`],
  ['after', `after - 'a'`],
  ['at', `at + interval '1 microsecond'`],
  ['at', `'infinity'`],
])('an entry whose %s was changed to %s is detected and named', async (column, value) => {
  const [, second] = await writeEntries(3);
  await runAsOwner(`update audit_log set ${column} = ${value} where id = ${second}`);
  expect(await verifyAll()).toEqual([
    `changed: entry ${second} at position 2, unless it was moved there from another position`,
  ]);
});

test('a changed entry is detected even if its MAC was changed too', async () => {
  const [, second] = await writeEntries(3);
  await runAsOwner(`update audit_log set reason = 'outro' where id = ${second};
    update audit_chain set mac = sha256('x') where position = 2`);
  expect((await verifyAll())[0]).toContain(`entry ${second} at position 2`);
});

test('a deleted entry is detected, and so is a deleted link of the chain, even after the gap was closed', async () => {
  const [first, second, third] = await writeEntries(4);
  await runAsOwner(`delete from audit_log where id = ${second}`);
  expect(await verifyAll()).toEqual([`removed: entry ${second} at position 2`]);
  await runAsOwner('delete from audit_chain where position = 2');
  expect(await verifyAll()).toEqual(['removed: position 2']);
  // Closing the gap shifts the following positions.
  await runAsOwner(`update audit_chain set position = position - 1 where position = 3;
    update audit_chain set position = position - 1 where position = 4`);
  const findings = await verifyAll();
  expect(findings[0]).toBe(
    `changed: entry ${third} at position 2, unless it was moved there from another position`,
  );
  expect(findings.at(-1)).toBe('cut off: 1 entries after position 3');
  await runAsOwner(
    `delete from audit_log where id = ${first}; delete from audit_chain where entry_id = ${first}`,
  );
  expect((await verifyAll())[0]).toBe('removed: position 1');
});

test('swapped entries are detected and named', async () => {
  const [first, second, third] = await writeEntries(4);
  await runAsOwner(`update audit_chain set entry_id = 0 where entry_id = ${second};
    update audit_chain set entry_id = ${second} where entry_id = ${third};
    update audit_chain set entry_id = ${third} where entry_id = 0`);
  expect(await verifyAll()).toEqual([
    `changed: entry ${third} at position 2, unless it was moved there from another position`,
    `changed: entry ${second} at position 3, unless it was moved there from another position`,
  ]);
  expect(first).toBeGreaterThan(0);
});

test('an entry added without the gateway is detected and named', async () => {
  await writeEntries(2);
  await runAsOwner(`insert into audit_log (at, actor_id, action, subject_id, before, after)
    values (now(), 0, 'forged', ${userId}, '{}', '{}')`);
  const forged = (await db.selectFrom('audit_log').select('id').orderBy('id', 'desc').executeTakeFirst())?.id;
  expect(await verifyAll()).toEqual([`added: entry ${forged} stands in the log and not in the chain`]);
  await runAsOwner(`insert into audit_chain values (3, ${forged}, sha256('x'))`);
  expect((await verifyAll())[0]).toBe(
    `changed: entry ${forged} at position 3, unless it was moved there from another position`,
  );
});

const truncateSql = (keptCount: number) => `delete from audit_chain where position > ${keptCount};
  delete from audit_log where id not in (select entry_id from audit_chain)`;

test('a truncated log is detected, even if its head was changed to match, and after further entries', async () => {
  await writeEntries(5);
  await runAsOwner(truncateSql(3));
  expect(await verifyAll()).toEqual(['cut off: 2 entries after position 3']);
  await runAsOwner(`update audit_head set entries = 3,
    last_mac = (select mac from audit_chain where position = 3)`);
  expect(await verifyAll()).toEqual(['head changed: it counts 3 entries; the chain has 3']);
  await writeEntry(6);
  expect(await verifyAll()).toEqual(['head changed: it counts 4 entries; the chain has 4']);
  await runAsOwner('delete from audit_head');
  expect(await verifyAll()).toEqual(['head changed: it was removed']);
  await runAsOwner(`insert into audit_head (entries, last_mac, mac) values (0, '', '')`);
});

test('a log restored to an earlier state is detected by the checkpoint outside the database', async () => {
  await writeEntries(3);
  const { entries, last_mac, mac } = await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow();
  await writeEntries(2);
  await checkpointAuditHead(deps());
  expect(await verifyAll()).toEqual([]);
  const byteaLiteral = (bytes: Buffer) => `'\\x${bytes.toString('hex')}'`;
  await runAsOwner(`${truncateSql(3)};
    update audit_head set entries = ${entries}, last_mac = ${byteaLiteral(last_mac)}, mac = ${byteaLiteral(mac)}`);
  const checkpointFinding = 'the entry at position 5, written down outside the database, is';
  expect(await verifyAll()).toEqual([`cut off: ${checkpointFinding} gone`]);
  const checkpoint = readFileSync(join(dataDir, 'audit-head'), 'utf8');
  await writeEntries(4);
  expect(await verifyAll()).toEqual([`cut off: ${checkpointFinding} a different one`]);
  // The next checkpoint must not overwrite the evidence.
  await checkpointAuditHead(deps());
  expect(readFileSync(join(dataDir, 'audit-head'), 'utf8')).toBe(checkpoint);
  expect(logged).toMatchObject([{ msg: 'entries are missing from the audit log', entries: 5 }]);
});

test('the checkpoint exists before the first entry, and grows with the log', async () => {
  await checkpointAuditHead(deps());
  expect(readFileSync(join(dataDir, 'audit-head'), 'utf8')).toBe('0 -\n');
  await writeEntries(2);
  await checkpointAuditHead(deps());
  expect(readFileSync(join(dataDir, 'audit-head'), 'utf8')).toMatch(/^2 [0-9a-f]{64}\n$/);
  expect(await verifyAll()).toEqual([]);
  writeFileSync(join(dataDir, 'audit-head'), '2 half');
  await expect(verifyAll()).rejects.toThrow('damaged');
});

test('with another master key no entry can be verified, and neither can the head', async () => {
  await writeEntries(2);
  const other = { db, secrets: createSecrets(Buffer.alloc(32, 8)) };
  expect((await verifyChain(other, undefined)).findings).toHaveLength(3);
});

test('the audit log is listed newest first, page by page, by account on either side, and by kind of action', async () => {
  const other = await insertMerchant(db);
  const ids = await inTransaction(deps(), async (tx) => {
    const entryIds: number[] = [];
    for (let mark = 0; mark < 120; mark += 1) {
      const otherAccount =
        mark % 40 === 0 ? { subject_id: other } : mark % 40 === 1 ? { actor_id: other } : {};
      const action = mark % 2 === 0 ? 'user updated' : 'balance adjusted';
      entryIds.push(await insertAuditEntry(tx, { ...newEntry(mark), ...otherAccount, action }));
    }
    return entryIds.toReversed().map(String);
  });
  const listAllPages = async (query: Parameters<typeof listAuditLog>[1]) => {
    const foundIds: string[] = [];
    for (let before: string | undefined; ; ) {
      const { entries, next } = await listAuditLog(deps(), { ...query, ...(before && { before }) });
      foundIds.push(...entries.map(({ id }) => id));
      if (next === null) return foundIds;
      before = next;
    }
  };
  expect(await listAllPages({})).toEqual(ids);
  const idsOfOther = ids.filter((_, index) => [0, 1].includes((119 - index) % 40));
  expect(await listAllPages({ user: String(other) })).toEqual(idsOfOther);
  expect(await listAllPages({ user: String(other), action: 'balance adjusted' })).toEqual(
    ids.filter((_, index) => (119 - index) % 40 === 1),
  );
  expect(await listAllPages({ action: 'user updated' })).toHaveLength(60);
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', other)
    .executeTakeFirstOrThrow();
  expect(await listAllPages({ user: username.toUpperCase() })).toEqual(idsOfOther);
  for (const unknownUser of ['999999', 'ninguém', username.slice(1)])
    await expect(listAllPages({ user: unknownUser })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
});
