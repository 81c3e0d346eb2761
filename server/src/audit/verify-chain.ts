import type { Db } from '../db/pool.ts';
import type { Secrets } from '../secrets.ts';
import { type ChainHead, macOfEnd, macOfEntry } from './chain.ts';
import { readHead, readLinks, readMac, readUnchained } from './store.ts';

export type ChainFinding = {
  readonly kind: 'changed' | 'removed' | 'added' | 'cut off' | 'head changed';
  readonly detail: string;
};

export type ChainReport = { readonly entries: number; readonly findings: readonly ChainFinding[] };

const linksPerBatch = 5000;
/** Limited, because an attack on the whole log would otherwise be reported entry by entry. */
const maxFindings = 50;

/**
 * Recomputes the chain of the audit log from its first entry, in one snapshot, and lists what was changed, moved,
 * removed, added or cut off. `checkpoint`: the end of the chain when it was last recorded outside the database.
 */
export function verifyChain(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  checkpoint: ChainHead | undefined,
): Promise<ChainReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { end, findings } = await recomputeChain(tx, secrets);
      findings.push(...(await findUnchained(tx, end)), ...(await checkHead(tx, secrets, end)));
      if (checkpoint !== undefined) findings.push(...(await checkCheckpoint(tx, checkpoint)));
      return { entries: end.entries, findings: findings.slice(0, maxFindings) };
    });
}

type RecomputedChain = { end: ChainHead; findings: ChainFinding[] };

async function recomputeChain(db: Db, secrets: Secrets): Promise<RecomputedChain> {
  let end: ChainHead = { entries: 0, lastMac: Buffer.alloc(0) };
  const findings: ChainFinding[] = [];
  for (;;) {
    const links = await readLinks(db, end.entries, linksPerBatch);
    for (const { position, entry_id: id, mac, entry } of links) {
      const expected = end.entries + 1;
      const entryName = `entry ${id} at position ${position}`;
      if (position > expected) findings.push(removedFinding(expected, position - 1));
      // The entry after a gap was chained to one that is lost, so its MAC cannot be recomputed.
      else if (entry === null) findings.push({ kind: 'removed', detail: entryName });
      else if (!macOfEntry(secrets, end.lastMac, position, entry).equals(mac))
        findings.push({ kind: 'changed', detail: `${entryName}, or it was moved there` });
      end = { entries: position, lastMac: mac };
    }
    if (links.length < linksPerBatch) return { end, findings };
  }
}

function removedFinding(from: number, to: number): ChainFinding {
  return { kind: 'removed', detail: from === to ? `position ${from}` : `positions ${from} to ${to}` };
}

/**
 * Finds entries that are in the log but not in the chain. Until the first entry is chained, all entries are those of
 * earlier versions, which had no chain.
 */
async function findUnchained(db: Db, { entries }: ChainHead): Promise<ChainFinding[]> {
  const head = await readHead(db);
  if (entries === 0 && head?.mac.length === 0) return [];
  const ids = await readUnchained(db, maxFindings);
  return ids.map((id) => ({ kind: 'added', detail: `entry ${id} stands in the log and not in the chain` }));
}

async function checkHead(db: Db, secrets: Secrets, end: ChainHead): Promise<ChainFinding[]> {
  const head = await readHead(db);
  if (head === undefined) return [{ kind: 'head changed', detail: 'it was removed' }];
  const { entries, last_mac: lastMac, mac } = head;
  const isUnused = entries === 0 && mac.length === 0;
  if (!isUnused && !mac.equals(macOfEnd(secrets, { entries, lastMac })))
    return [{ kind: 'head changed', detail: `it names ${entries} entries; the chain has ${end.entries}` }];
  if (entries > end.entries)
    return [{ kind: 'cut off', detail: `${entries - end.entries} entries after position ${end.entries}` }];
  if (entries < end.entries)
    return [{ kind: 'added', detail: `${end.entries - entries} entries after position ${entries}, the end` }];
  return lastMac.equals(end.lastMac) ? [] : [{ kind: 'changed', detail: `the last, at position ${entries}` }];
}

async function checkCheckpoint(db: Db, { entries, lastMac }: ChainHead): Promise<ChainFinding[]> {
  if (entries === 0) return [];
  const mac = await readMac(db, entries);
  if (mac?.equals(lastMac)) return [];
  const condition = mac === undefined ? 'is gone' : 'is another';
  const detail = `the entry at position ${entries}, written down outside the database, ${condition}`;
  return [{ kind: 'cut off', detail }];
}
