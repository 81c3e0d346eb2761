import type { TxWithSecrets } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { type ChainEnd, macOfEnd, macOfEntry, type StoredAuditEntry } from './chain.ts';
import {
  type AuditHead,
  type ChainLink,
  insertEntry,
  insertLinks,
  lockHead,
  type NewAuditEntry,
  readEntries,
  readEntriesAfter,
  writeHead,
} from './store.ts';

/**
 * Adds an entry to the audit log and returns its id. The entry is appended to the chain, which reveals later changes of
 * the log, only after all other writes of the transaction. So the chain follows the order of commits, and the
 * transaction takes no other lock while it holds the lock on the chain.
 */
export async function insertAuditEntry(tx: TxWithSecrets, entry: NewAuditEntry): Promise<number> {
  const id = await insertEntry(tx, entry);
  tx.beforeCommit(() => appendToChain(tx, [id]));
  return id;
}

/** The number of entries that are read and chained at a time. */
const batchSize = 1000;

/**
 * Appends entries to the chain. If the chain is still empty, also appends all entries from before there was a chain,
 * even when `ids` is empty. The lock on the head of the chain makes all other writers wait, so nothing but the commit
 * may follow this call.
 */
export async function appendToChain(tx: TxWithSecrets, ids: readonly number[]): Promise<void> {
  const head = await lockHead(tx);
  invariant(head !== undefined, 'the head of the audit chain was removed');
  const isChainEmpty = head.entries === 0 && head.mac.length === 0;
  if (!isChainEmpty && ids.length === 0) return;
  const start = { entryCount: head.entries, lastMac: head.last_mac };
  const end = isChainEmpty
    ? await appendWholeLog(tx, start, ids.at(-1))
    : await appendEntries(tx, start, await readEntries(tx.db, ids));
  const mac = isChainEmpty ? macOfEnd(tx.secrets, end) : macOfNewHead(tx, head, start, end);
  await writeHead(tx, { entries: end.entryCount, last_mac: end.lastMac, mac });
}

/** Appends all entries of the log up to the id `upTo`, in batches. Without `upTo`, appends all. */
async function appendWholeLog(
  tx: TxWithSecrets,
  start: ChainEnd,
  upTo: number | undefined,
): Promise<ChainEnd> {
  let end = start;
  for (let after = 0; ; ) {
    const entries = await readEntriesAfter(tx.db, { after, upTo, limit: batchSize });
    end = await appendEntries(tx, end, entries);
    const last = entries.at(-1);
    if (last === undefined || entries.length < batchSize) return end;
    after = last.id;
  }
}

/** Appends entries after `start`, and returns the new end of the chain. */
async function appendEntries(
  tx: TxWithSecrets,
  start: ChainEnd,
  entries: readonly StoredAuditEntry[],
): Promise<ChainEnd> {
  let end = start;
  const links: ChainLink[] = [];
  for (const entry of entries) {
    const position = end.entryCount + 1;
    const mac = macOfEntry(tx.secrets, end.lastMac, position, entry);
    links.push({ position, entryId: entry.id, mac });
    end = { entryCount: position, lastMac: mac };
  }
  for (let from = 0; from < links.length; from += batchSize)
    await insertLinks(tx, links.slice(from, from + batchSize));
  return end;
}

/**
 * Returns the MAC for the new head. If the MAC of the stored head is wrong, somebody without the master key changed the
 * head. The wrong MAC is then kept, because a correct one would hide the forgery.
 */
function macOfNewHead(
  tx: TxWithSecrets,
  storedHead: AuditHead,
  storedEnd: ChainEnd,
  newEnd: ChainEnd,
): Buffer {
  const isStoredHeadValid = storedHead.mac.equals(macOfEnd(tx.secrets, storedEnd));
  return isStoredHeadValid ? macOfEnd(tx.secrets, newEnd) : storedHead.mac;
}
