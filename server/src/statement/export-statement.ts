import type { exportStatement as contract, ParamsOf, QueryOf, StatementLine } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { createExportQueue } from '../http/export-queue.ts';
import type { FileResponse } from '../http/file-response.ts';
import { Refusal } from '../refusal.ts';
import { csvOf } from './csv.ts';
import { selectMovements } from './movement.ts';
import { ofxOf } from './ofx.ts';
import { readStatementPeriod, statementPeriodBounds } from './period.ts';
import { inSnapshot, positionOf, SETTLED_MS } from './read-statement.ts';
import {
  countEntries,
  listEntries,
  readTotals,
  type StatementEntry,
  type StatementEntryFilter,
} from './store.ts';
import { toStatementLines } from './to-statement-lines.ts';

const maxEntries = 100_000;
const linesPerPage = 1000;
const maxConcurrentExports = 8;

type ExportRequest = ParamsOf<typeof contract> & QueryOf<typeof contract>;

/**
 * Creates the function that exports statements. A statement is sent while it is still being read, and at most
 * `maxConcurrentExports` are read at the same time.
 */
export function createExports(deps: Pick<Deps, 'db' | 'clock'>) {
  const startExport = createExportQueue(maxConcurrentExports);

  /**
   * Exports the movements of one balance in a period, oldest first. Refuses with PERIOD_INVALID or EXPORT_TOO_LONG,
   * and with OVERLOADED while another export of the merchant is running.
   */
  return async (merchantId: number, request: ExportRequest): Promise<FileResponse> => {
    const period = readStatementPeriod(request, deps.clock.now());
    return startExport(merchantId, () => openFile(deps, merchantId, request, period));
  };
}

const fileNames = {
  available: 'extrato',
  reserved: 'extrato-reserva',
  blocked: 'extrato-bloqueado',
} as const;

async function openFile(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  { format, account, kind }: ExportRequest,
  period: ReturnType<typeof readStatementPeriod>,
): Promise<{ contentType: string; fileName: string; content: AsyncIterable<string> }> {
  const now = clock.now();
  const bounds = statementPeriodBounds(period);
  const filter = { merchantId, account, movements: selectMovements(account, kind), ...bounds };
  const totals = await inSnapshot(db, async (snapshot) => {
    const entryCount = await countEntries(snapshot, filter, maxEntries + 1);
    if (entryCount > maxEntries) throw new Refusal('EXPORT_TOO_LONG');
    return readTotals(snapshot, merchantId, account, period);
  });

  let balanceCents = totals.openingCents;
  async function* pages(): AsyncGenerator<StatementLine[]> {
    for await (const entries of readAll(db, filter, now)) {
      const entriesWithBalance = entries.map((entry) => {
        balanceCents += entry.changeCents;
        // The changes of one kind of movement do not add up to the balance.
        return { ...entry, balanceCents: kind === undefined ? balanceCents : undefined };
      });
      yield await toStatementLines(db, merchantId, account, entriesWithBalance);
    }
  }

  const fileName = `${fileNames[account]}-${period.from}-a-${period.to}.${format}`;
  if (format === 'csv') return { contentType: 'text/csv; charset=utf-8', fileName, content: csvOf(pages()) };
  const id = account === 'available' ? `${merchantId}` : `${merchantId}-${account}`;
  const closingCents = () => (kind === undefined ? balanceCents : totals.closingCents);
  const content = ofxOf(pages(), { id, ...bounds, now, closingCents });
  return { contentType: 'application/x-ofx', fileName, content };
}

/**
 * Reads all entries, page by page. Settled entries (see `SETTLED_MS`) are read while they are sent. New entries may
 * still appear among the latest ones, so these are read in one snapshot, and kept in memory while they are sent: a slow
 * client would otherwise occupy the connection of the snapshot.
 */
async function* readAll(db: Db, filter: StatementEntryFilter, now: Date): AsyncGenerator<StatementEntry[]> {
  const settledUntil = new Date(Math.max(filter.from.getTime(), now.getTime() - SETTLED_MS));
  if (settledUntil >= filter.until) return yield* pagesOf(db, filter);
  yield* pagesOf(db, { ...filter, until: settledUntil });
  yield* await inSnapshot(db, async (snapshot) => {
    const pages: StatementEntry[][] = [];
    for await (const page of pagesOf(snapshot, { ...filter, from: settledUntil })) pages.push(page);
    return pages;
  });
}

async function* pagesOf(db: Db, filter: StatementEntryFilter): AsyncGenerator<StatementEntry[]> {
  let lastEntry: StatementEntry | undefined;
  for (;;) {
    const page = await listEntries(db, filter, {
      order: 'oldest first',
      after: lastEntry && positionOf(lastEntry),
      limit: linesPerPage,
    });
    if (page.length > 0) yield page;
    if (page.length < linesPerPage) return;
    lastEntry = page.at(-1);
  }
}
