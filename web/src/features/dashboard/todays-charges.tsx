import { listPayments, PAGE_SIZE, parseTransactionFeed, type TransactionModel } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callRaw } from '../../api/client.ts';
import { RECHECK_MS } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { chargeBadge, wasCredited } from '../../format/charge-status.ts';
import { formatTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { ListBody, rowsOf } from '../../panel/list-body.tsx';
import { type Column, EmptyState, SectionHeader, StatusBadge, Table } from '../../ui/index.ts';

/** The charges that the person created today: to a role that sees no others, the gateway lists these alone. */
export const todaysChargesQuery = queryOptions({
  queryKey: ['charge', 'today'],
  queryFn: async ({ signal }) => {
    const list = await callRaw(listPayments, { query: { limit: PAGE_SIZE.max }, signal });
    return parseTransactionFeed(list, {}).transactions;
  },
});

const columns: readonly Column<TransactionModel>[] = [
  {
    key: 'time',
    head: 'Hora',
    cell: ({ createdAt }) => formatTime(createdAt),
    width: 'w-[18%]',
    tone: 'muted',
    skeleton: 'w-12',
  },
  {
    key: 'id',
    head: 'ID',
    cell: ({ id }) => (
      <Link to={paths.pixPayment} search={{ id }} className="font-mono text-xs hover:underline">
        {shortId(id)}
      </Link>
    ),
    width: 'w-[27%]',
    skeleton: 'w-16',
  },
  {
    key: 'status',
    head: 'Status',
    cell: ({ status }) => <Status status={status} />,
    width: 'w-[27%]',
    skeleton: 'h-5.5 w-20',
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amountCents }) => formatMoney(amountCents),
    align: 'end',
    tone: 'strong',
  },
];

function Status({ status }: { status: string }) {
  const { glyph, label } = chargeBadge(status);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The person's charges of today, with the sum of those that were paid. A row opens its charge. */
export function TodaysCharges() {
  const charges = useQuery({ ...todaysChargesQuery, refetchInterval: RECHECK_MS, refetchOnMount: 'always' });
  const navigate = useNavigate();
  const rows = rowsOf(charges, charges.data);
  return (
    <section aria-labelledby="todays-charges">
      <SectionHeader
        id="todays-charges"
        title="Suas cobranças de hoje"
        aside={
          rows && rows.length > 0 && <span className="text-muted tabular-nums">{paidSummary(rows)}</span>
        }
      />
      <ListBody
        query={charges}
        title="Erro ao buscar as suas cobranças de hoje"
        reassurance="Elas continuam valendo."
      >
        {rows?.length === 0 ? (
          <EmptyState
            className="border-t border-base-300"
            drawing="nothing-yet"
            title="Nenhuma cobrança sua hoje"
          >
            As que você criar aparecem aqui até a meia-noite.
          </EmptyState>
        ) : (
          <Table
            label="Suas cobranças de hoje"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            skeletonRows={PAGE_SIZE.recentTransactions}
            narrowRowContent={({ id, status, amountCents, createdAt }) => ({
              start: <Status status={status} />,
              startDetail: formatTime(createdAt),
              end: formatMoney(amountCents),
              endDetail: <span className="font-mono">{shortId(id)}</span>,
            })}
            onOpen={({ id }) => navigate({ to: paths.pixPayment, search: { id } })}
          />
        )}
      </ListBody>
    </section>
  );
}

/** `3 pagas, R$ 120,00` */
function paidSummary(charges: readonly TransactionModel[]): string {
  const paid = charges.filter(({ status }) => wasCredited(status));
  const sumCents = paid.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (paid.length === 0) return 'Nenhuma paga ainda';
  return `${paid.length} ${paid.length === 1 ? 'paga' : 'pagas'}, ${formatMoney(sumCents)}`;
}
