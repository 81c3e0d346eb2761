import { listDueCharges, PAGE_SIZE } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatCentsDigits } from '../../format/money.ts';
import { csvFileOf } from '../../panel/csv/csv-file.ts';
import { saveFile } from '../../panel/save-file.ts';
import { Button, toast, toastError } from '../../ui/index.ts';
import { type DueChargesFilter, dueChargesQueryOf } from './due-charges-filter.ts';
import { type DueChargeRow, stateLabelOf } from './due-charges-table.tsx';

const MAX_ROWS = 10_000;

const columns: readonly { readonly head: string; readonly cell: (charge: DueChargeRow) => string }[] = [
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
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const rows: string[][] = [columns.map(({ head }) => head)];
      let before: string | undefined;
      let period = '';
      do {
        const query = { ...dueChargesQueryOf(filter), limit: PAGE_SIZE.max, before };
        const { data, next, from, to } = await call(listDueCharges, { query });
        period = `${from}-${to}`;
        rows.push(...data.map((charge) => columns.map(({ cell }) => cell(charge))));
        before = next ?? undefined;
      } while (before !== undefined && rows.length <= MAX_ROWS);
      saveFile(await csvFileOf(rows), `cobrancas-${period}.csv`);
      return before === undefined;
    },
    onSuccess: (isWhole) => {
      if (!isWhole) toast('O arquivo tem as primeiras 10.000 cobranças. Escolha um período menor.');
    },
    onError: (error) => toastError(errorText(error, 'Erro ao exportar as cobranças. Tente novamente.')),
  });
  return (
    <Button
      disabled={isPending}
      isSending={isPending}
      sendingLabel="Exportando"
      icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => mutate()}
    >
      Exportar CSV
    </Button>
  );
}
