import type { BatchLineState } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { checkoutUrl } from '../payments/index.ts';
import { formatDecimal, formatTextCell } from '../statement/index.ts';
import { listLines, type StoredBatch, type StoredLine } from './store.ts';

const columnTitles = [
  'Linha',
  'Seu id',
  'Situação',
  'Id da cobrança',
  'Txid',
  'Valor',
  'Vencimento',
  'Link',
  'Pix copia e cola',
  'Código',
  'Motivo',
];

const stateTexts: Readonly<Record<BatchLineState, string>> = {
  waiting: 'Em espera',
  created: 'Criada',
  refused: 'Recusada',
  cancelled: 'Cancelada',
};

const linesPerPage = 500;

/** Formats what became of the lines of a batch as CSV for Brazilian Excel, as the statement is. */
export async function* formatResult(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  batch: Pick<StoredBatch, 'merchantId' | 'id'>,
): AsyncGenerator<string> {
  yield `\uFEFF${formatRow(columnTitles)}`;
  let after = 0;
  for (;;) {
    const lines = await listLines(db, batch, { after, limit: linesPerPage });
    if (lines.length > 0) yield lines.map((line) => formatLine(line, config.publicUrl)).join('');
    const last = lines.at(-1);
    if (last === undefined || lines.length < linesPerPage) return;
    after = last.line;
  }
}

function formatLine(line: StoredLine, publicUrl: string): string {
  const { txid, brCode, amountCents, dueDate } = line;
  return formatRow([
    String(line.line),
    formatTextCell(line.externalId),
    stateTexts[line.state],
    line.chargeId ?? '',
    txid ?? '',
    amountCents === null ? '' : formatDecimal(amountCents, ','),
    dueDate === null ? '' : dueDate.split('-').toReversed().join('/'),
    txid === null ? '' : formatTextCell(checkoutUrl(publicUrl, { txid })),
    formatTextCell(brCode ?? ''),
    line.code ?? '',
    formatTextCell(line.message ?? ''),
  ]);
}

function formatRow(cells: readonly string[]): string {
  return `${cells.join(';')}\r\n`;
}
