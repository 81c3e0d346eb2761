/** A file that cannot be read; the message is for people. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

const MAX_BYTES = 2_000_000;

/** Reads the rows of a CSV file, as spreadsheets in Brazil write them. */
export async function readCsv(file: File): Promise<string[][]> {
  if (file.size > MAX_BYTES) throw new CsvError('O arquivo tem mais de 2 MB. Divida-o em arquivos menores.');
  const text = decode(await file.arrayBuffer()).replace(/^\uFEFF/, '');
  return rowsOf(text, delimiterOf(text));
}

/** Spreadsheets write UTF-8, or Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0x50 && second === 0x4b)
    throw new CsvError('Este arquivo é uma planilha. Abra-a e salve como CSV.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The sign between the heads. Amounts have commas too, so the rows would mislead. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const countOf = (sign: string) => head.split(sign).length;
  return [';', ',', '\t'].reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
}

/** A cell in quotes may hold the delimiter, line breaks, and quotes that are doubled. */
function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const [cell, end] = text[at] === '"' ? quotedCell(text, at + 1) : plainCell(text, at, delimiter);
    row.push(cell.trim());
    if (text[end] === delimiter) {
      at = end + 1;
      continue;
    }
    rows.push(row);
    row = [];
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

function plainCell(text: string, start: number, delimiter: string): readonly [string, number] {
  let end = start;
  while (end < text.length && ![delimiter, '\r', '\n'].includes(text.charAt(end))) end += 1;
  return [text.slice(start, end), end];
}

function quotedCell(text: string, start: number): readonly [string, number] {
  for (let end = start; end < text.length; end += 1) {
    if (text[end] !== '"') continue;
    if (text[end + 1] !== '"') return [text.slice(start, end).replaceAll('""', '"'), end + 1];
    end += 1;
  }
  throw new CsvError('As aspas de uma célula não fecham. Corrija o arquivo e escolha-o de novo.');
}

/** Writes rows as a CSV file that spreadsheets in Brazil open, and run nothing of. */
export function csvOf(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((row) => row.map(cellText).join(';'));
  return new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

function cellText(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
