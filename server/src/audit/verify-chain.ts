import type { Db } from '../db/pool.ts';
import type { Secrets } from '../secrets.ts';
import { type ChainEnd, macOfEnd, macOfEntry } from './chain.ts';
import { readHead, readLinks, readMac, readUnchained } from './store.ts';

/** A sign that the audit log was tampered with. */
export type ChainFinding = {
  readonly kind: 'changed' | 'removed' | 'added' | 'cut off' | 'head changed';
  readonly detail: string;
};

export type ChainReport = { readonly entryCount: number; readonly findings: readonly ChainFinding[] };

const linksPerBatch = 5000;
/** Findings are limited, because an attack on the whole log would otherwise be reported entry by entry. */
const maxFindings = 50;

/**
 * Recomputes the chain of the audit log (`chain.ts`: each entry's MAC covers the previous one) from its first entry, in
 * one snapshot. Lists the entries that were changed, moved, removed, added or cut off. `checkpoint`: the end of the
 * chain as last recorded outside the database.
 */
export function verifyChain(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  checkpoint: ChainEnd | undefined,
): Promise<ChainReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { end, findings } = await recomputeChain(tx, secrets);
      findings.push(...(await findUnchained(tx, end)), ...(await checkHead(tx, secrets, end)));
      if (checkpoint !== undefined) findings.push(...(await checkCheckpoint(tx, checkpoint)));
      return { entryCount: end.entryCount, findings: findings.slice(0, maxFindings) };
    });
}

type RecomputedChain = { end: ChainEnd; findings: ChainFinding[] };

async function recomputeChain(db: Db, secrets: Secrets): Promise<RecomputedChain> {
  let end: ChainEnd = { entryCount: 0, lastMac: Buffer.alloc(0) };
  const findings: ChainFinding[] = [];
  for (;;) {
    const links = await readLinks(db, end.entryCount, linksPerBatch);
    for (const { position, entry_id: id, mac, entry } of links) {
      const expectedPosition = end.entryCount + 1;
      const entryName = `entry ${id} at position ${position}`;
      // After a gap the previous MAC is lost, so this entry cannot be checked.
      if (position > expectedPosition) findings.push(removedFinding(expectedPosition, position - 1));
      else if (entry === null) findings.push({ kind: 'removed', detail: entryName });
      else if (!macOfEntry(secrets, end.lastMac, position, entry).equals(mac))
        findings.push({
          kind: 'changed',
          detail: `${entryName}, unless it was moved there from another position`,
        });
      end = { entryCount: position, lastMac: mac };
    }
    if (links.length < linksPerBatch) return { end, findings };
  }
}

function removedFinding(from: number, to: number): ChainFinding {
  return { kind: 'removed', detail: from === to ? `position ${from}` : `positions ${from} to ${to}` };
}

/** Finds entries that are in the log but not in the chain. */
async function findUnchained(db: Db, { entryCount }: ChainEnd): Promise<ChainFinding[]> {
  const head = await readHead(db);
  // While the chain is still empty, there is nothing to report: the entries in the log come from earlier releases,
  // which had no chain.
  if (entryCount === 0 && head?.mac.length === 0) return [];
  const ids = await readUnchained(db, maxFindings);
  return ids.map((id) => ({ kind: 'added', detail: `entry ${id} stands in the log and not in the chain` }));
}

/** Compares the head, the stored record of where the chain ends, with the recomputed end. */
async function checkHead(db: Db, secrets: Secrets, end: ChainEnd): Promise<ChainFinding[]> {
  const head = await readHead(db);
  if (head === undefined) return [{ kind: 'head changed', detail: 'it was removed' }];
  const { entries: headCount, last_mac: lastMac, mac } = head;
  // The head gets its first MAC with the first chained entry.
  const isUnused = headCount === 0 && mac.length === 0;
  if (!isUnused && !mac.equals(macOfEnd(secrets, { entryCount: headCount, lastMac })))
    return [
      { kind: 'head changed', detail: `it counts ${headCount} entries; the chain has ${end.entryCount}` },
    ];
  const difference = Math.abs(headCount - end.entryCount);
  if (headCount > end.entryCount)
    return [{ kind: 'cut off', detail: `${difference} entries after position ${end.entryCount}` }];
  if (headCount < end.entryCount) {
    const detail = `${difference} entries after position ${headCount}, where the chain should end`;
    return [{ kind: 'added', detail }];
  }
  if (lastMac.equals(end.lastMac)) return [];
  return [{ kind: 'changed', detail: `the last entry, at position ${headCount}` }];
}

/**
 * Looks for the entry that was the last one when the checkpoint was recorded. A different entry at that position is a
 * finding too: the log was cut off and then continued.
 */
async function checkCheckpoint(db: Db, { entryCount, lastMac }: ChainEnd): Promise<ChainFinding[]> {
  if (entryCount === 0) return [];
  const mac = await readMac(db, entryCount);
  if (mac?.equals(lastMac)) return [];
  const condition = mac === undefined ? 'is gone' : 'is a different one';
  const detail = `the entry at position ${entryCount}, written down outside the database, ${condition}`;
  return [{ kind: 'cut off', detail }];
}
