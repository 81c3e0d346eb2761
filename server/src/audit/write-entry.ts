import type { KeyedTx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { type ChainHead, macOfEnd, macOfEntry, type WrittenEntry } from './chain.ts';
import {
  type AuditHead,
  type ChainLink,
  insertEntry,
  insertLinks,
  lockHead,
  type NewAuditEntry,
  readWritten,
  readWrittenAfter,
  writeHead,
} from './store.ts';

/**
 * Adds an entry to the audit log and answers its id. It is chained to the one before when the rest of the transaction is
 * written, so entries stand in the order of their commits, and no lock of the chain is held while others are taken.
 */
export async function insertAuditEntry(tx: KeyedTx, entry: NewAuditEntry): Promise<number> {
  const id = await insertEntry(tx, entry);
  tx.beforeCommit(() => chainEntries(tx, [id]));
  return id;
}

/** How many entries are read and chained at a time. */
const runLength = 1000;

/**
 * Appends entries to the chain; the first call also appends all entries written before there was a chain. The lock on
 * the head makes all others wait: nothing but the commit may follow.
 */
export async function chainEntries(tx: KeyedTx, ids: readonly number[]): Promise<void> {
  const head = await lockHead(tx);
  invariant(head !== undefined, 'the head of the audit chain was removed');
  const isFirst = head.entries === 0 && head.mac.length === 0;
  if (!isFirst && ids.length === 0) return;
  const start = { entries: head.entries, lastMac: head.last_mac };
  const end = isFirst
    ? await appendOld(tx, start, ids.at(-1))
    : await append(tx, start, await readWritten(tx.db, ids));
  await writeHead(tx, { entries: end.entries, last_mac: end.lastMac, mac: endMac(tx, head, end, isFirst) });
}

async function appendOld(tx: KeyedTx, start: ChainHead, upTo: number | undefined): Promise<ChainHead> {
  let end = start;
  for (let after = 0; ; ) {
    const entries = await readWrittenAfter(tx.db, { after, upTo, limit: runLength });
    end = await append(tx, end, entries);
    const last = entries.at(-1);
    if (last === undefined || entries.length < runLength) return end;
    after = last.id;
  }
}

async function append(tx: KeyedTx, start: ChainHead, entries: readonly WrittenEntry[]): Promise<ChainHead> {
  let end = start;
  const links: ChainLink[] = [];
  for (const entry of entries) {
    const position = end.entries + 1;
    const mac = macOfEntry(tx.secrets, end.lastMac, position, entry);
    links.push({ position, entryId: entry.id, mac });
    end = { entries: position, lastMac: mac };
  }
  for (let from = 0; from < links.length; from += runLength)
    await insertLinks(tx, links.slice(from, from + runLength));
  return end;
}

/** The next entry does not repair a head that somebody else wrote: it stays as wrong as it was found. */
function endMac(tx: KeyedTx, found: AuditHead, end: ChainHead, isFirst: boolean): Buffer {
  const isOurs =
    isFirst || found.mac.equals(macOfEnd(tx.secrets, { entries: found.entries, lastMac: found.last_mac }));
  return isOurs ? macOfEnd(tx.secrets, end) : found.mac;
}
