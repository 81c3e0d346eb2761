import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { ChainHead } from './chain.ts';
import { readHead, readMac } from './store.ts';
import { chainEntries } from './write-entry.ts';

/**
 * Writes outside the database, and into the log, where the audit log ends: who cuts it off, or puts back an older one,
 * does not reach there. What is kept and not found in the chain any more stays as it is, and is told every time.
 */
export async function checkpointAuditHead(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config' | 'log'>,
): Promise<void> {
  const { db, config, log } = deps;
  const kept = await readAuditCheckpoint(config);
  if (kept !== undefined && !(await isInChain(deps, kept))) {
    log.error({ ...shown(kept), file: fileOf(config) }, 'entries are missing from the audit log');
    return;
  }
  await inTransaction(deps, async (tx) => tx.beforeCommit(() => chainEntries(tx, [])));
  const head = await readHead(db);
  if (head === undefined) return;
  const end = { entries: head.entries, lastMac: head.last_mac };
  await writeKeptEnd(config, end);
  log.info(shown(end), 'recorded the end of the audit log');
}

export async function isInChain({ db }: Pick<Deps, 'db'>, { entries, lastMac }: ChainHead): Promise<boolean> {
  if (entries === 0) return true;
  return (await readMac(db, entries))?.equals(lastMac) === true;
}

/** What was kept last, or undefined when nothing was. @throws when the file is not what was written */
export async function readAuditCheckpoint(config: Pick<Config, 'dataDir'>): Promise<ChainHead | undefined> {
  let text: string;
  try {
    text = await readFile(fileOf(config), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const [, entries, mac] = /^(\d{1,15}) ([0-9a-f]{64}|-)\n$/.exec(text) ?? [];
  if (entries === undefined || mac === undefined) throw new Error(`${fileOf(config)} is damaged.`);
  return { entries: Number(entries), lastMac: Buffer.from(mac === '-' ? '' : mac, 'hex') };
}

async function writeKeptEnd(config: Pick<Config, 'dataDir'>, end: ChainHead): Promise<void> {
  const { entries, mac } = shown(end);
  const unfinished = `${fileOf(config)}.${process.pid}`;
  await writeFile(unfinished, `${entries} ${mac}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, fileOf(config));
}

function shown({ entries, lastMac }: ChainHead) {
  return { entries, mac: lastMac.toString('hex') || '-' };
}

function fileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'audit-head');
}
