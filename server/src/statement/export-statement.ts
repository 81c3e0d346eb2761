import type { exportStatement as contract, ParamsOf, QueryOf, StatementLine } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { createConcurrencySlots } from '../http/admission.ts';
import { FileAnswer } from '../http/file-answer.ts';
import { Refusal } from '../refusal.ts';
import { csvOf } from './csv.ts';
import { movementsFor } from './movement.ts';
import { ofxOf } from './ofx.ts';
import { readStatementPeriod, statementPeriodBounds } from './period.ts';
import { inSnapshot, placeOf, SETTLED_MS } from './read-statement.ts';
import {
  countTransfers,
  listEntries,
  readTotals,
  type StatementEntry,
  type StatementEntryFilter,
} from './store.ts';
import { toStatementLines } from './to-statement-lines.ts';

const mostLines = 100_000;
const linesOfPage = 1000;
const exportsAtOnce = 8;

type Wanted = ParamsOf<typeof contract> & QueryOf<typeof contract>;

/** Exports are streamed as they are read; a limited number may run at the same time. */
export function createExports(deps: Pick<Deps, 'db' | 'clock'>) {
  const takePlace = createConcurrencySlots(exportsAtOnce);

  /**
   * Exports the movements of one balance in a period, oldest first. Refuses with PERIOD_INVALID or EXPORT_TOO_LONG, and
   * with OVERLOADED while too many other exports are running.
   */
  return async (merchantId: number, wanted: Wanted): Promise<FileAnswer> => {
    const period = readStatementPeriod(wanted, deps.clock.now());
    const onEnd = takePlace(merchantId);
    try {
      const text = await textOf(deps, merchantId, wanted, period);
      return new FileAnswer({ ...text, onEnd });
    } catch (error) {
      onEnd();
      throw error;
    }
  };
}

const names = { available: 'extrato', reserved: 'extrato-reserva', blocked: 'extrato-bloqueado' } as const;

async function textOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  { format, account, kind }: Wanted,
  period: ReturnType<typeof readStatementPeriod>,
): Promise<Pick<FileAnswer, 'contentType' | 'fileName' | 'content'>> {
  const now = clock.now();
  const moments = statementPeriodBounds(period);
  const filter = { merchantId, account, movements: movementsFor(account, kind), ...moments };
  const totals = await inSnapshot(db, async (snapshot) => {
    const found = await countTransfers(snapshot, filter, mostLines + 1);
    if (found > mostLines) throw new Refusal('EXPORT_TOO_LONG');
    return readTotals(snapshot, merchantId, account, period);
  });

  let balanceCents = totals.openingCents;
  async function* pages(): AsyncGenerator<StatementLine[]> {
    for await (const entries of readAll(db, filter, now)) {
      const balanced = entries.map((entry) => {
        balanceCents += entry.changeCents;
        return { ...entry, balanceCents: kind === undefined ? balanceCents : undefined };
      });
      yield await toStatementLines(db, merchantId, account, balanced);
    }
  }

  const fileName = `${names[account]}-${period.from}-a-${period.to}.${format}`;
  if (format === 'csv') return { contentType: 'text/csv; charset=utf-8', fileName, content: csvOf(pages()) };
  const id = account === 'available' ? `${merchantId}` : `${merchantId}-${account}`;
  const closingCents = () => (kind === undefined ? balanceCents : totals.closingCents);
  const content = ofxOf(pages(), { id, ...moments, now, closingCents });
  return { contentType: 'application/x-ofx', fileName, content };
}

/**
 * All entries, page by page. Settled entries are read while they are sent; the latest ones, among which older entries
 * may still appear, are read at once in one snapshot. So a slow reader holds no database connection.
 */
async function* readAll(db: Db, filter: StatementEntryFilter, now: Date): AsyncGenerator<StatementEntry[]> {
  const settled = new Date(Math.max(filter.from.getTime(), now.getTime() - SETTLED_MS));
  if (settled >= filter.until) return yield* pagesOf(db, filter);
  yield* pagesOf(db, { ...filter, until: settled });
  yield* await inSnapshot(db, async (snapshot) => {
    const pages: StatementEntry[][] = [];
    for await (const page of pagesOf(snapshot, { ...filter, from: settled })) pages.push(page);
    return pages;
  });
}

async function* pagesOf(db: Db, filter: StatementEntryFilter): AsyncGenerator<StatementEntry[]> {
  for (let behind: StatementEntry | undefined, page: StatementEntry[] = []; ; behind = page.at(-1)) {
    page = await listEntries(db, filter, {
      order: 'oldest first',
      behind: behind && placeOf(behind),
      limit: linesOfPage,
    });
    if (page.length > 0) yield page;
    if (page.length < linesOfPage) return;
  }
}
