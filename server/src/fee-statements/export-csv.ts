import { formatDay } from './fee-statement.ts';
import type { StatementDocument } from './statement-document.ts';

/** Formats a statement as CSV for Brazilian Excel: UTF-8 with a byte order mark, semicolons and decimal commas. */
export function formatStatementCsv({ statement, days }: StatementDocument): string {
  const rows = [
    ['Fatura', 'Dia', 'Tarifas', 'Valor'],
    ...days.map(({ day, feeCount, amountCents }) => [
      statement.number,
      formatDay(day),
      String(feeCount),
      formatReais(amountCents),
    ]),
    [statement.number, 'Total', String(statement.feeCount), formatReais(statement.amountCents)],
  ];
  return `\uFEFF${rows.map((cells) => `${cells.join(';')}\r\n`).join('')}`;
}

function formatReais(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
