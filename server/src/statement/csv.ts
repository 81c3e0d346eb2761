import { centsFromResponse, type StatementKind, type StatementLine } from '@jangada/contract';

const kindTexts: Readonly<Record<StatementKind, string>> = {
  payment: 'Pagamento',
  withdrawal: 'Saque',
  refund: 'Estorno',
  dispute: 'Disputa',
  reserve: 'Reserva',
  adjustment: 'Ajuste',
};

const columnTitles = [
  'Data',
  'Hora',
  'Tipo',
  'Descrição',
  'Valor',
  'Valor bruto',
  'Tarifa',
  'Reserva',
  'Saldo',
  'Identificador',
];

const dayFormat = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' });
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', timeStyle: 'medium' });

/**
 * Formats statement lines as CSV for Brazilian Excel: UTF-8 with a byte order mark, semicolons between cells, and
 * decimal commas.
 */
export async function* formatCsv(pages: AsyncIterable<readonly StatementLine[]>): AsyncGenerator<string> {
  yield `\uFEFF${formatRow(columnTitles)}`;
  for await (const lines of pages) yield lines.map(formatLine).join('');
}

function formatLine(line: StatementLine): string {
  const time = new Date(line.at);
  return formatRow([
    dayFormat.format(time),
    timeFormat.format(time),
    kindTexts[line.kind],
    formatTextCell(line.description),
    formatAmountCell(line.amount),
    formatAmountCell(line.gross),
    formatAmountCell(line.fee),
    formatAmountCell(line.reserved),
    formatAmountCell(line.balance),
    formatTextCell(line.subject_id ?? line.id),
  ]);
}

function formatRow(cells: readonly string[]): string {
  return `${cells.join(';')}\r\n`;
}

/** Formats a text cell. A text that a spreadsheet would run as a formula gets a leading apostrophe (CSV injection). */
export function formatTextCell(text: string): string {
  const safeText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}

/** Formats an amount in BRL; empty if null. */
function formatAmountCell(brl: number | null): string {
  return brl === null ? '' : formatDecimal(centsFromResponse(brl) ?? 0, ',');
}

/** Formats integer cents with two decimals and no thousands separator. */
export function formatDecimal(cents: number, separator: ',' | '.'): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const sign = cents < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -2)}${separator}${digits.slice(-2)}`;
}
