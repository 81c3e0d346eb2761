import { listSubscriptions, PAGE_SIZE, type Subscription } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { centsOf } from '../../format/cents-of.ts';
import { dayOf, formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatCentsDigits } from '../../format/money.ts';
import { periodTexts } from '../../format/subscription-words.ts';
import { ExportButton, type ExportColumn } from '../../panel/csv/export-button.tsx';
import { explanationOf, subscriptionBadges } from './subscription-words.ts';
import type { SubscriptionsFilter } from './subscriptions-filter.ts';

const dayText = (day: string | null) => (day === null ? '' : formatCalendarDay(day));

const columns: readonly ExportColumn<Subscription>[] = [
  { head: 'Quem paga', cell: ({ payer }) => payer.name },
  { head: 'CPF ou CNPJ', cell: ({ payer }) => payer.document },
  { head: 'Seu código', cell: ({ external_id: id }) => id ?? '' },
  { head: 'O que é', cell: ({ description }) => description },
  {
    head: 'Valor',
    cell: ({ amount }) => (amount === null ? 'Variável' : formatCentsDigits(centsOf(amount))),
  },
  { head: 'Período', cell: ({ period }) => periodTexts[period] },
  { head: 'Primeiro dia', cell: ({ first_day: day }) => dayText(day) },
  { head: 'Último dia', cell: ({ last_day: day }) => dayText(day) },
  { head: 'Estado', cell: ({ status }) => subscriptionBadges[status].label },
  { head: 'Explicação', cell: (subscription) => explanationOf(subscription).what },
  { head: 'Próximo débito', cell: ({ next_debit_day: day }) => dayText(day) },
  { head: 'Criada em', cell: ({ created_at: moment }) => formatDate(moment) },
  { head: 'Página para autorizar', cell: ({ page_url: url }) => url },
  { head: 'Identificação', cell: ({ id }) => id },
];

/** Saves the subscriptions that the filter selects, as a CSV file. */
export function ExportSubscriptions({ filter: { status, search } }: { filter: SubscriptionsFilter }) {
  const readPage = async (before: string | undefined) => {
    const query = { status, search, limit: PAGE_SIZE.max, before };
    const { data, next } = await call(listSubscriptions, { query });
    return { rows: data, next, fileName: `assinaturas-${dayOf(new Date())}.csv` };
  };
  return (
    <ExportButton
      columns={columns}
      readPage={readPage}
      failure="Erro ao exportar as assinaturas. Tente novamente."
      partial="O arquivo tem as 10.000 assinaturas mais novas. Filtre por estado para ver as outras."
    />
  );
}
