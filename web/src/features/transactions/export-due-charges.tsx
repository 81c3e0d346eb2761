import { listDueCharges, PAGE_SIZE } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatCentsDigits } from '../../format/money.ts';
import { ExportButton, type ExportColumn } from '../../panel/csv/export-button.tsx';
import { type DueChargesFilter, dueChargesQueryOf } from './due-charges-filter.ts';
import { type DueChargeRow, stateLabelOf } from './due-charges-table.tsx';

const columns: readonly ExportColumn<DueChargeRow>[] = [
  { head: 'Cliente', cell: ({ billed_to: payer }) => payer?.name ?? '' },
  { head: 'CPF ou CNPJ', cell: ({ billed_to: payer }) => payer?.document ?? '' },
  { head: 'Seu código', cell: ({ external_id: id }) => id ?? '' },
  { head: 'Descrição', cell: ({ description }) => description ?? '' },
  { head: 'Vencimento', cell: ({ due_date: day }) => (day === null ? '' : formatCalendarDay(day)) },
  { head: 'Situação', cell: stateLabelOf },
  { head: 'Valor', cell: ({ amount }) => amountText(amount) },
  { head: 'Valor hoje', cell: ({ amount_today: amount }) => (amount === null ? '' : amountText(amount)) },
  { head: 'Devolvido', cell: ({ refunded_amount: amount }) => (amount === 0 ? '' : amountText(amount)) },
  { head: 'Criada em', cell: ({ created_at: moment }) => formatDate(moment) },
  { head: 'Paga em', cell: ({ paid_at: moment }) => (moment === null ? '' : formatDate(moment)) },
  { head: 'Identificação', cell: ({ id }) => id },
];

const amountText = (amount: number) => formatCentsDigits(centsOf(amount));

/** Saves the charges that the filter selects, as a CSV file. */
export function ExportDueCharges({ filter }: { filter: DueChargesFilter }) {
  const readPage = async (before: string | undefined) => {
    const query = { ...dueChargesQueryOf(filter), limit: PAGE_SIZE.max, before };
    const { data, next, from, to } = await call(listDueCharges, { query });
    return { rows: data, next, fileName: `cobrancas-${from}-${to}.csv` };
  };
  return (
    <ExportButton
      columns={columns}
      readPage={readPage}
      failure="Erro ao exportar as cobranças. Tente novamente."
      partial="O arquivo tem as primeiras 10.000 cobranças. Escolha um período menor."
    />
  );
}
