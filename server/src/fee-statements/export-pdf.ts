import { formatDocument } from '@jangada/pix';
import { calendarDayOf } from '../calendar-day.ts';
import { formatBrl } from '../format-brl.ts';
import { type FeesOfDay, formatDay, formatMonth } from './fee-statement.ts';
import type { StatementDocument } from './statement-document.ts';

/** Millimetres would be nicer, but PDF counts in points: 72 to the inch. A4 is 595 by 842. */
const margin = 56;
const rightEdge = 595 - margin;
const rowHeight = 13.5;
const ink = '#1c1917';
const faint = '#6b6560';
const line = '#d6d3d1';

/** Prints a statement on one page, in Portuguese. */
export async function formatStatementPdf(document: StatementDocument): Promise<Buffer> {
  // Loaded only when a statement is printed: it is large, and most processes never print one.
  const { default: PdfDocument } = await import('pdfkit');
  const { statement } = document;
  const pdf = new PdfDocument({
    size: 'A4',
    margin,
    lang: 'pt-BR',
    // The same statement gives the same file, whenever it is printed.
    info: { Title: titleOf(document), CreationDate: statement.closedAt },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = new Promise<void>((resolve) => pdf.on('end', resolve));
  printHead(pdf, document);
  printFacts(pdf, document);
  printDays(pdf, document);
  printPayment(pdf, document);
  pdf.end();
  await end;
  return Buffer.concat(chunks);
}

type Pdf = PDFKit.PDFDocument;

function titleOf({ statement }: StatementDocument): string {
  return `Fatura de tarifas ${statement.number}`;
}

function printHead(pdf: Pdf, { statement, operator }: StatementDocument): void {
  pdf.font('Helvetica-Bold').fontSize(20).fillColor(ink).text('Fatura de tarifas', margin, margin);
  pdf.font('Helvetica').fontSize(12).fillColor(faint).text(formatMonth(statement.month));
  const contact = operator.email === undefined ? [] : [operator.email];
  for (const [index, text] of [operator.host, ...contact].entries())
    pdf
      .fontSize(10)
      .fillColor(index === 0 ? ink : faint)
      .text(printable(text), rightEdge - 220, margin + 4 + index * 14, { width: 220, align: 'right' });
  rule(pdf, margin + 52);
}

function printFacts(pdf: Pdf, { statement, merchant }: StatementDocument): void {
  const paid =
    statement.paidAt === null ? undefined : `Paga em ${formatDay(calendarDayOf(statement.paidAt))}`;
  const facts: [string, string][] = [
    ['Lojista', `${merchant.name} · ${formatDocument(merchant.document)}`],
    ['Número', statement.number],
    ['Fechada em', formatDay(calendarDayOf(statement.closedAt))],
    ['Vencimento', formatDay(statement.dueOn)],
    ['Situação', paid ?? 'Em aberto'],
  ];
  for (const [index, [label, value]] of facts.entries()) {
    const y = margin + 66 + index * 16;
    pdf.font('Helvetica').fontSize(10).fillColor(faint).text(label, margin, y, { width: 90 });
    pdf.fillColor(ink).text(printable(value), margin + 90, y, {
      width: rightEdge - margin - 90,
      height: 12,
      ellipsis: true,
    });
  }
}

function printDays(pdf: Pdf, { statement, days }: StatementDocument): void {
  const top = margin + 162;
  printRow(pdf, top, ['Dia', 'Tarifas', 'Valor'], { isBold: true });
  rule(pdf, top + rowHeight);
  let y = top + rowHeight + 5;
  for (const { day, feeCount, amountCents } of fitting(days)) {
    printRow(pdf, y, [day === '' ? 'Outros dias' : formatDay(day), String(feeCount), formatBrl(amountCents)]);
    y += rowHeight;
  }
  rule(pdf, y + 1);
  printRow(pdf, y + 6, ['Total', String(statement.feeCount), formatBrl(statement.amountCents)], {
    isBold: true,
  });
}

/** A month has 31 days at most, and fees that were booked late a few more, which share the first line. */
const maxRows = 32;

function fitting(days: readonly FeesOfDay[]): FeesOfDay[] {
  if (days.length <= maxRows) return [...days];
  const earlier = days.slice(0, days.length - maxRows + 1);
  const sum = (pick: (day: FeesOfDay) => number) => earlier.reduce((total, day) => total + pick(day), 0);
  const together = {
    day: '',
    feeCount: sum((day) => day.feeCount),
    amountCents: sum((day) => day.amountCents),
  };
  return [together, ...days.slice(days.length - maxRows + 1)];
}

function printRow(
  pdf: Pdf,
  y: number,
  [day, fees, amount]: readonly [string, string, string],
  { isBold = false } = {},
): void {
  pdf
    .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(10)
    .fillColor(ink);
  pdf.text(day, margin, y, { width: 160 });
  pdf.text(fees, margin + 160, y, { width: 120, align: 'right' });
  pdf.text(amount, margin + 280, y, { width: rightEdge - margin - 280, align: 'right' });
}

function printPayment(pdf: Pdf, { statement, charge }: StatementDocument): void {
  const y = 842 - margin - 100;
  rule(pdf, y);
  pdf
    .font('Helvetica-Bold')
    .fontSize(10)
    .fillColor(ink)
    .text('Como pagar', margin, y + 10);
  pdf.font('Helvetica').fillColor(faint);
  if (statement.state === 'paid') {
    pdf.text(
      statement.endToEndId === null
        ? `Paga por outro meio: ${printable(statement.paidReference ?? '')}`
        : `Paga pelo Pix ${statement.endToEndId}.`,
    );
    return;
  }
  if (charge === undefined) {
    pdf.text('Gere o código Pix na página Tarifas do painel.');
    return;
  }
  pdf.text(`Pix copia e cola, válido até ${formatDay(calendarDayOf(charge.expiresAt))}:`);
  pdf
    .moveDown(0.4)
    .font('Courier')
    .fontSize(8.5)
    .fillColor(ink)
    .text(charge.brCode, { width: rightEdge - margin });
}

function rule(pdf: Pdf, y: number): void {
  pdf.moveTo(margin, y).lineTo(rightEdge, y).lineWidth(0.7).strokeColor(line).stroke();
}

/** The fonts that every reader of PDF has know the letters of Portuguese, and not those of every name. */
function printable(text: string): string {
  return text.normalize('NFC').replace(/[^\x20-\x7e\xa0-\xff]/gu, '?');
}
