import type { exportStatement as exportEndpoint, ParamsOf, QueryOf, StatementLine } from '@jangada/contract';
import { readOnReplica } from '../db/read-replica.ts';
import type { Deps } from '../deps.ts';
import { createExportQueue } from '../http/export-queue.ts';
import type { FileResponse } from '../http/file-response.ts';
import { Refusal } from '../refusal.ts';
import { formatCsv } from './csv.ts';
import { selectMovements } from './movement.ts';
import { formatOfx } from './ofx.ts';
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

/** A longer export is refused. */
const maxEntries = 100_000;
/** How many entries one query reads. */
const linesPerPage = 1000;
const maxConcurrentExports = 8;

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'replica'>;
type ExportRequest = ParamsOf<typeof exportEndpoint> & QueryOf<typeof exportEndpoint>;

/**
 * Creates the function that exports statements. A statement is sent while it is still being read, and at most
 * `maxConcurrentExports` are read at the same time.
 */
export function createStatementExporter(deps: ExportDeps) {
  const startExport = createExportQueue(maxConcurrentExports);

  /**
   * Exports the movements of one balance in a period, oldest first. Refuses with PERIOD_INVALID or EXPORT_TOO_LONG, and
   * with OVERLOADED while another export of the merchant is running.
   */
  return async (merchantId: number, request: ExportRequest): Promise<FileResponse> => {
    const period = readStatementPeriod(request, deps.clock.now());
    return startExport(merchantId, () => openFile(deps, merchantId, request, period));
  };
}

/** The Portuguese name of the file, by the balance that it shows. */
const fileNames = {
  available: 'extrato',
  reserved: 'extrato-reserva',
  blocked: 'extrato-bloqueado',
  own: 'extrato-contas-proprias',
} as const;

async function openFile(
  deps: ExportDeps,
  merchantId: number,
  { format, account, kind }: ExportRequest,
  period: ReturnType<typeof readStatementPeriod>,
): Promise<{ contentType: string; fileName: string; content: AsyncIterable<string> }> {
  const { db, clock } = deps;
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
    for await (const { entries, databases } of readAllEntries(deps, filter, now)) {
      const entriesWithBalance = entries.map((entry) => {
        balanceCents += entry.changeCents;
        // The changes of one kind of movement do not add up to the balance.
        return { ...entry, balanceCents: kind === undefined ? balanceCents : undefined };
      });
      yield await readOnReplica(databases, (reader) =>
        toStatementLines(reader.db, merchantId, account, entriesWithBalance),
      );
    }
  }

  const fileName = `${fileNames[account]}-${period.from}-a-${period.to}.${format}`;
  if (format === 'csv')
    return { contentType: 'text/csv; charset=utf-8', fileName, content: formatCsv(pages()) };
  const id = account === 'available' ? `${merchantId}` : `${merchantId}-${account}`;
  const closingCents = () => (kind === undefined ? balanceCents : totals.closingCents);
  const content = formatOfx(pages(), { id, ...bounds, now, closingCents });
  return { contentType: 'application/x-ofx', fileName, content };
}

/** A page of entries, and the databases from which the details of their lines are read. */
type EntryPage = { readonly entries: StatementEntry[]; readonly databases: Pick<Deps, 'db' | 'replica'> };

/**
 * Reads all entries, page by page. Settled entries (see `SETTLED_MS`) are read while they are sent, at the replica if
 * there is one. New entries may still appear among the latest ones, so these are read in one snapshot of the primary,
 * and kept in memory while they are sent: a slow client would otherwise occupy the connection of the snapshot.
 */
async function* readAllEntries(
  deps: Pick<Deps, 'db' | 'replica'>,
  filter: StatementEntryFilter,
  now: Date,
): AsyncGenerator<EntryPage> {
  const settledMs = SETTLED_MS + (deps.replica?.maxLagMs ?? 0);
  const settledUntil = new Date(Math.max(filter.from.getTime(), now.getTime() - settledMs));
  if (settledUntil >= filter.until) return yield* readPages(deps, filter);
  yield* readPages(deps, { ...filter, until: settledUntil });
  const latest = { ...filter, from: settledUntil };
  yield* await inSnapshot(deps.db, async (db) => {
    const pages: EntryPage[] = [];
    for await (const { entries } of readPages({ db }, latest))
      pages.push({ entries, databases: { db: deps.db } });
    return pages;
  });
}

async function* readPages(
  databases: EntryPage['databases'],
  filter: StatementEntryFilter,
): AsyncGenerator<EntryPage> {
  let lastEntry: StatementEntry | undefined;
  for (;;) {
    const entries = await readOnReplica(databases, ({ db }) =>
      listEntries(db, filter, {
        order: 'oldest first',
        after: lastEntry && positionOf(lastEntry),
        limit: linesPerPage,
      }),
    );
    if (entries.length > 0) yield { entries, databases };
    if (entries.length < linesPerPage) return;
    lastEntry = entries.at(-1);
  }
}
