import type { Db } from '../db/pool.ts';
import type { Secrets } from '../secrets.ts';
import { type ChainHead, macOfEnd, macOfEntry } from './chain.ts';
import { readHead, readLinks, readMac, readUnchained } from './store.ts';

export type ChainFinding = {
  readonly is: 'changed' | 'removed' | 'added' | 'cut off' | 'head changed';
  readonly detail: string;
};

export type ChainReport = { readonly entries: number; readonly findings: readonly ChainFinding[] };

const batchLength = 5000;
/** An attack on the whole log would otherwise be reported entry by entry. */
const mostFindings = 50;

/**
 * Recomputes the chain of the audit log from its first entry, in one snapshot, and lists what was changed, moved,
 * removed, added or cut off. `kept`: the end of the chain when it was last recorded outside the database.
 */
export function verifyChain(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  kept: ChainHead | undefined,
): Promise<ChainReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { end, findings } = await walk(tx, secrets);
      findings.push(...(await unchained(tx, end)), ...(await aboutHead(tx, secrets, end)));
      if (kept !== undefined) findings.push(...(await aboutKept(tx, kept)));
      return { entries: end.entries, findings: findings.slice(0, mostFindings) };
    });
}

type Walked = { end: ChainHead; findings: ChainFinding[] };

async function walk(db: Db, secrets: Secrets): Promise<Walked> {
  let end: ChainHead = { entries: 0, lastMac: Buffer.alloc(0) };
  const findings: ChainFinding[] = [];
  for (;;) {
    const links = await readLinks(db, end.entries, batchLength);
    for (const { position, entry_id: id, mac, entry } of links) {
      const expected = end.entries + 1;
      const named = `entry ${id} at position ${position}`;
      if (position > expected) findings.push(gone(expected, position - 1));
      // The entry after a gap was chained to one that is lost, so its MAC cannot be recomputed.
      else if (entry === null) findings.push({ is: 'removed', detail: named });
      else if (!macOfEntry(secrets, end.lastMac, position, entry).equals(mac))
        findings.push({ is: 'changed', detail: `${named}, or it was moved there` });
      end = { entries: position, lastMac: mac };
    }
    if (links.length < batchLength) return { end, findings };
  }
}

function gone(from: number, to: number): ChainFinding {
  return { is: 'removed', detail: from === to ? `position ${from}` : `positions ${from} to ${to}` };
}

/** Before the first entry is chained, those of earlier versions stand unchained. */
async function unchained(db: Db, { entries }: ChainHead): Promise<ChainFinding[]> {
  const head = await readHead(db);
  if (entries === 0 && head?.mac.length === 0) return [];
  const ids = await readUnchained(db, mostFindings);
  return ids.map((id) => ({ is: 'added', detail: `entry ${id} stands in the log and not in the chain` }));
}

async function aboutHead(db: Db, secrets: Secrets, end: ChainHead): Promise<ChainFinding[]> {
  const head = await readHead(db);
  if (head === undefined) return [{ is: 'head changed', detail: 'it was removed' }];
  const { entries, last_mac: lastMac, mac } = head;
  const isUnused = entries === 0 && mac.length === 0;
  if (!isUnused && !mac.equals(macOfEnd(secrets, { entries, lastMac })))
    return [{ is: 'head changed', detail: `it names ${entries} entries; the chain has ${end.entries}` }];
  if (entries > end.entries)
    return [{ is: 'cut off', detail: `${entries - end.entries} entries after position ${end.entries}` }];
  if (entries < end.entries)
    return [{ is: 'added', detail: `${end.entries - entries} entries after position ${entries}, the end` }];
  return lastMac.equals(end.lastMac) ? [] : [{ is: 'changed', detail: `the last, at position ${entries}` }];
}

async function aboutKept(db: Db, { entries, lastMac }: ChainHead): Promise<ChainFinding[]> {
  if (entries === 0) return [];
  const mac = await readMac(db, entries);
  if (mac?.equals(lastMac)) return [];
  const what = mac === undefined ? 'is gone' : 'is another';
  const detail = `the entry at position ${entries}, written down outside the database, ${what}`;
  return [{ is: 'cut off', detail }];
}
