import { CHARGE_BATCH_MAX_LINES } from '@jangada/contract';
import { loadChunk } from '../../api/api-error.ts';
import { formatCount } from '../../format/money.ts';
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

/** A file that cannot be read as charges; the message is for people. */
export class BatchFileError extends Error {
  override readonly name = 'BatchFileError';
}

/** The head over the faults in a file of rows that are to be mended. */
export const FAULTS_HEAD = 'O que corrigir';

const MAX_FILE_BYTES = 10_000_000;

/**
 * Reads a CSV file of charges.
 * @throws {BatchFileError} for a file that holds none, {ApiError} if the reader of CSV could not be loaded
 */
export async function readBatchFile(file: File): Promise<BatchFile> {
  if (file.size > MAX_FILE_BYTES)
    throw new BatchFileError('O arquivo tem mais de 10 MB. Divida-o em arquivos menores.');
  const [heads = [], ...rows] = await parseRows(decode(await file.arrayBuffer()));
  const columns = heads.map(columnOf);
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    const titles = missing.map((name) => `“${batchColumns[name].title}”`).join(' e ');
    throw new BatchFileError(
      `Não achamos ${missing.length === 1 ? 'a coluna' : 'as colunas'} ${titles} na primeira linha. Baixe o modelo e compare.`,
    );
  }
  const repeated = columns.find((name, place) => name !== undefined && columns.indexOf(name) < place);
  if (repeated !== undefined)
    throw new BatchFileError(`Duas colunas do arquivo são “${batchColumns[repeated].title}”. Deixe uma só.`);
  const filled = rows.flatMap((cells, place) => {
    const row = { row: place + 2, cells: cellsOf(columns, cells) };
    return cells.some((cell) => cell.trim() !== '') ? [row] : [];
  });
  if (filled.length === 0) throw new BatchFileError('O arquivo não tem nenhuma cobrança.');
  if (filled.length > CHARGE_BATCH_MAX_LINES)
    throw new BatchFileError(
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

/** Spreadsheets write UTF-8, or Windows-1252, which is Latin-1 with signs such as the dash. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0x50 && second === 0x4b)
    throw new BatchFileError('Este arquivo é uma planilha. Abra-a e salve como CSV.');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

async function parseRows(text: string): Promise<string[][]> {
  const { parse } = (await loadChunk(import('papaparse'))).default;
  const { data, errors } = parse<string[]>(text, { delimiter: delimiterOf(text) });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken !== undefined)
    throw new BatchFileError(
      `As aspas não fecham na linha ${formatCount((broken.row ?? 0) + 1)}. Corrija o arquivo e escolha-o de novo.`,
    );
  return data;
}

/** The sign between the heads. Amounts have commas too, so the rows would mislead. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const countOf = (sign: string) => head.split(sign).length;
  return [';', ',', '\t'].reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
}

/** Writes rows as a CSV file that spreadsheets in Brazil open, and run nothing of. */
export async function csvFileOf(rows: readonly (readonly string[])[]): Promise<Blob> {
  const { unparse } = (await loadChunk(import('papaparse'))).default;
  const text = unparse(
    rows.map((row) => [...row]),
    { delimiter: ';', escapeFormulae: true },
  );
  return new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}
