import { loadChunk } from '../../api/api-error.ts';
import { formatCount } from '../../format/money.ts';

/** A file that cannot be used; the message is for people. */
export class CsvFileError extends Error {
  override readonly name = 'CsvFileError';
}

const MAX_FILE_BYTES = 10_000_000;

/**
 * Reads the rows of a CSV file, the heads first. Rows without anything are among them, so that their places count.
 * @throws {CsvFileError} for a file that is none, {ApiError} if the reader of CSV could not be loaded
 */
export async function readCsvFile(file: File): Promise<string[][]> {
  if (file.size > MAX_FILE_BYTES)
    throw new CsvFileError('O arquivo tem mais de 10 MB. Divida-o em arquivos menores.');
  return parseRows(decode(await file.arrayBuffer()));
}

/** Spreadsheets write UTF-8, or Windows-1252, which is Latin-1 with signs such as the dash. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0x50 && second === 0x4b)
    throw new CsvFileError('Este arquivo é uma planilha. Abra-a e salve como CSV.');
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
    throw new CsvFileError(
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

/** How a text begins that spreadsheets take for a formula. It may have several lines. */
const formula = /^[=+\-@\t\r]/;

/** Writes rows as a CSV file that spreadsheets in Brazil open, and run nothing of. */
export async function csvFileOf(rows: readonly (readonly string[])[]): Promise<Blob> {
  const { unparse } = (await loadChunk(import('papaparse'))).default;
  const text = unparse(
    rows.map((row) => [...row]),
    { delimiter: ';', escapeFormulae: formula },
  );
  return new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}
