import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { daysAfter } from '../calendar-day.ts';
import { formatStatementCsv } from './export-csv.ts';
import { formatStatementPdf } from './export-pdf.ts';
import type { StatementDocument } from './statement-document.ts';

const brCode = `00020101021226${'7'.repeat(280)}6304ABCD`;

const document: StatementDocument = {
  statement: {
    merchantId: 42,
    id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d3',
    month: '2026-11',
    number: '202611-42',
    amountCents: 1_234_56,
    feeCount: 12,
    closedAt: new Date('2026-12-01T03:11:00Z'),
    dueOn: '2026-12-10',
    state: 'open',
    paidAt: null,
    endToEndId: null,
    paidReference: null,
  },
  days: [
    { day: '2026-11-03', feeCount: 5, amountCents: 1_000_00 },
    { day: '2026-11-30', feeCount: 7, amountCents: 234_56 },
  ],
  charge: {
    merchantId: 42,
    statementId: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d3',
    txid: '00000016abcdefghijklmnopqrstuv',
    brCode,
    createdAt: new Date('2026-12-02T15:00:00Z'),
    expiresAt: new Date('2026-12-09T15:00:00Z'),
  },
  merchant: { name: 'Empório São João & Cia', document: '12345678909' },
  operator: { host: 'pix.example.com', email: 'financeiro@example.com' },
};

/** The texts of a PDF, in their order, and its number of pages. */
async function readPdf(of: StatementDocument): Promise<{ texts: string; pages: number }> {
  const bytes = await formatStatementPdf(of);
  const source = bytes.toString('latin1');
  const streams = [...source.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, data = '']) => {
    try {
      return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  const strings = streams.join('\n').matchAll(/\[(.*?)\] TJ/g);
  const texts = [...strings].map(([, parts = '']) =>
    [...parts.matchAll(/<([0-9a-f]*)>/g)]
      .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
      .join(''),
  );
  return { texts: texts.join('\n'), pages: [...source.matchAll(/\/Type \/Page\b/g)].length };
}

test('the CSV has a line for each day and the total, as spreadsheets in Brazil read it', () => {
  expect(formatStatementCsv(document)).toBe(
    '\uFEFFFatura;Dia;Tarifas;Valor\r\n' +
      '202611-42;03/11/2026;5;1000,00\r\n' +
      '202611-42;30/11/2026;7;234,56\r\n' +
      '202611-42;Total;12;1234,56\r\n',
  );
});

test('the PDF says on one page who owes what to whom, until when, for which days, and how to pay', async () => {
  const { texts, pages } = await readPdf(document);
  expect(pages).toBe(1);
  for (const text of [
    'Fatura de tarifas',
    'novembro de 2026',
    'pix.example.com',
    'financeiro@example.com',
    'Empório São João & Cia · 123.456.789-09',
    '202611-42',
    '10/12/2026',
    'Em aberto',
    '03/11/2026',
    'R$\u00A01.000,00',
    'R$\u00A01.234,56',
    'Pix copia e cola, válido até 09/12/2026:',
  ])
    expect(texts).toContain(text);
  expect(texts.replaceAll('\n', '')).toContain(brCode);
});

test('the PDF of a paid statement says how it was paid, and has no code', async () => {
  const paidAt = new Date('2026-12-08T12:00:00Z');
  const byPix = { ...document.statement, state: 'paid' as const, paidAt, endToEndId: 'E123' };
  const { texts } = await readPdf({ ...document, statement: byPix, charge: undefined });
  expect(texts).toContain('Paga em 08/12/2026');
  expect(texts).toContain('Paga pelo Pix E123.');
  const elsewhere = { ...byPix, endToEndId: null, paidReference: 'TED 4711' };
  const { texts: others } = await readPdf({ ...document, statement: elsewhere, charge: undefined });
  expect(others).toContain('Paga por outro meio: TED 4711');
});

test('the PDF stays on one page with fees on more days than a month has, and a name that fonts lack', async () => {
  const days = Array.from({ length: 40 }, (_, index) => ({
    day: daysAfter('2026-10-22', index),
    feeCount: 1,
    amountCents: 100,
  }));
  const merchant = { name: `Loja 🦜 ${'muito longa '.repeat(20)}`, document: '12345678909' };
  const { texts, pages } = await readPdf({ ...document, days, merchant });
  expect(pages).toBe(1);
  expect(texts).toContain('Outros dias');
  expect(texts).toContain('R$\u00A09,00');
  expect(texts).toContain('30/11/2026');
  expect(texts).toContain('Loja ? muito longa');
});

test('the same statement gives the same file', async () => {
  const [first, second] = [await formatStatementPdf(document), await formatStatementPdf(document)];
  expect(first.equals(second)).toBe(true);
});
