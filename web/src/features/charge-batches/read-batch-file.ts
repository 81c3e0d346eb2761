import { CHARGE_BATCH_MAX_LINES } from '@jangada/contract';
import { formatCount } from '../../format/money.ts';
import { CsvFileError, readCsvFile } from '../../panel/csv/csv-file.ts';
import { type BatchColumn, batchColumns, columnOf, neededColumns } from './batch-columns.ts';

/** A row of the file with something in it. Rows are counted from 1, the head included, as spreadsheets do. */
export type FileRow = {
  readonly row: number;
  readonly cells: Readonly<Partial<Record<BatchColumn, string>>>;
};

export type BatchFile = {
  readonly name: string;
  readonly rows: readonly FileRow[];
  /** The heads of columns that mean nothing here. */
  readonly unknownHeads: readonly string[];
};

/** The head over the faults in a file of rows that are to be mended. */
export const FAULTS_HEAD = 'O que corrigir';

/**
 * Reads a CSV file of charges.
 * @throws {CsvFileError} for a file that holds none, {ApiError} if the reader of CSV could not be loaded
 */
export async function readBatchFile(file: File): Promise<BatchFile> {
  const [heads = [], ...rows] = await readCsvFile(file);
  const columns = heads.map(columnOf);
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    const titles = missing.map((name) => `“${batchColumns[name].title}”`).join(' e ');
    throw new CsvFileError(
      `Não achamos ${missing.length === 1 ? 'a coluna' : 'as colunas'} ${titles} na primeira linha. Baixe o modelo e compare.`,
    );
  }
  const repeated = columns.find((name, place) => name !== undefined && columns.indexOf(name) < place);
  if (repeated !== undefined)
    throw new CsvFileError(`Duas colunas do arquivo são “${batchColumns[repeated].title}”. Deixe uma só.`);
  const filled = rows.flatMap((cells, place) => {
    const row = { row: place + 2, cells: cellsOf(columns, cells) };
    return cells.some((cell) => cell.trim() !== '') ? [row] : [];
  });
  if (filled.length === 0) throw new CsvFileError('O arquivo não tem nenhuma cobrança.');
  if (filled.length > CHARGE_BATCH_MAX_LINES)
    throw new CsvFileError(
      `O arquivo tem ${formatCount(filled.length)} linhas, e um lote vai até ${formatCount(CHARGE_BATCH_MAX_LINES)}. Divida-o.`,
    );
  return {
    name: file.name.replace(/\.\w+$/, ''),
    rows: filled,
    unknownHeads: heads.filter(
      (head, place) => columns[place] === undefined && !['', FAULTS_HEAD].includes(head.trim()),
    ),
  };
}

function cellsOf(columns: readonly (BatchColumn | undefined)[], cells: readonly string[]): FileRow['cells'] {
  return Object.fromEntries(
    columns.flatMap((name, place) => (name === undefined ? [] : [[name, (cells[place] ?? '').trim()]])),
  );
}
