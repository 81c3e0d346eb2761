import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { ChainEnd } from './chain.ts';
import { readHead, readMac } from './store.ts';
import { appendToChain } from './write-entry.ts';

/**
 * Records where the audit log ends (a checkpoint) in a file outside the database and in the process log. An attacker
 * who truncates the audit log, or restores an older one, cannot change these records. A checkpoint that the chain no
 * longer contains is evidence: it is not overwritten, and every run reports it.
 */
export async function checkpointAuditHead(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config' | 'log'>,
): Promise<void> {
  const { db, config, log } = deps;
  const checkpoint = await readAuditCheckpoint(config);
  if (checkpoint !== undefined && !(await isInChain(deps, checkpoint))) {
    log.error(
      { ...printableEnd(checkpoint), file: checkpointPath(config) },
      'entries are missing from the audit log',
    );
    return;
  }
  // There are no new entries to append. But while the chain is empty, this appends the entries that are older than the
  // chain.
  await inTransaction(deps, async (tx) => tx.beforeCommit(() => appendToChain(tx, [])));
  const head = await readHead(db);
  if (head === undefined) return;
  const end = { entryCount: head.entries, lastMac: head.last_mac };
  await writeCheckpoint(config, end);
  log.info(printableEnd(end), 'recorded the end of the audit log');
}

/** Returns whether the chain still contains the entry that was its last one when the checkpoint was recorded. */
export async function isInChain(
  { db }: Pick<Deps, 'db'>,
  { entryCount, lastMac }: ChainEnd,
): Promise<boolean> {
  if (entryCount === 0) return true;
  return (await readMac(db, entryCount))?.equals(lastMac) === true;
}

/**
 * Reads the last checkpoint; undefined if there is none yet.
 * @throws if the file is damaged
 */
export async function readAuditCheckpoint(config: Pick<Config, 'dataDir'>): Promise<ChainEnd | undefined> {
  let text: string;
  try {
    text = await readFile(checkpointPath(config), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const [, entryCount, mac] = /^(\d{1,15}) ([0-9a-f]{64}|-)\n$/.exec(text) ?? [];
  if (entryCount === undefined || mac === undefined) throw new Error(`${checkpointPath(config)} is damaged.`);
  return { entryCount: Number(entryCount), lastMac: Buffer.from(mac === '-' ? '' : mac, 'hex') };
}

async function writeCheckpoint(config: Pick<Config, 'dataDir'>, end: ChainEnd): Promise<void> {
  const { entries, mac } = printableEnd(end);
  // Written under another name and renamed, so that a crash cannot leave half a checkpoint.
  const draftPath = `${checkpointPath(config)}.${process.pid}`;
  await writeFile(draftPath, `${entries} ${mac}\n`, { mode: 0o600, flush: true });
  await rename(draftPath, checkpointPath(config));
}

/** The end of the chain as it is written to the file and to the process log. */
function printableEnd({ entryCount, lastMac }: ChainEnd) {
  return { entries: entryCount, mac: lastMac.toString('hex') || '-' };
}

function checkpointPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'audit-head');
}
