import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { Button, Code, type Column, EmptyState, PageHeader, StatusBadge, Table } from '../../ui/index.ts';
import { AdminPagination } from './admin-pagination.tsx';
import { suspenseQuery } from './admin-queries.ts';
import { pageFilterFrom } from './list-filters.ts';
import { reasonText, SuspenseDetail, type SuspensePix, suspenseBadge } from './suspense-detail.tsx';

const FAILURE = 'Erro ao buscar os Pix sem dono.';
const POLL_MS = 30_000;

/**
 * The list of Pix in suspense, that is, received Pix that match no charge. An administrator assigns each Pix to a
 * merchant, or returns it to its payer.
 */
export function SuspensePage() {
  const { page = 1 } = useSearch(pageFilterFrom);
  const navigate = useNavigate();
  const list = useQuery({ ...suspenseQuery(page), refetchInterval: POLL_MS });
  const [selectedId, setSelectedId] = useState<string>();
  const { data } = list;
  const rows = rowsOf(list, data?.pix);
  const selectedPix = rows?.find((pix) => pix.end_to_end_id === selectedId);
  const showPage = (newPage: number) =>
    void navigate({ to: paths.adminSuspense, search: newPage === 1 ? {} : { page: newPage } });
  return (
    <>
      <PageHeader
        title="Pix sem dono"
        sentence={sentenceOf(data)}
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      <ListBody query={list} title={FAILURE}>
        {rows?.length === 0 ? (
          <EmptyState
            className="border-t border-base-300"
            drawing={page === 1 ? 'all-done' : 'no-result'}
            title={page === 1 ? 'Nenhum Pix sem dono' : 'Nada nesta página'}
            action={page === 1 ? undefined : <Button onClick={() => showPage(1)}>Primeira página</Button>}
          >
            {page === 1 ? 'Todo Pix que chegou é de uma cobrança, de um lojista ou já voltou.' : undefined}
          </EmptyState>
        ) : (
          <>
            <Table
              label="Pix sem dono"
              columns={columns}
              rows={rows}
              rowKey={(pix) => pix.end_to_end_id}
              openLabel="Detalhes"
              onOpen={(pix) => setSelectedId(pix.end_to_end_id)}
              narrowRowContent={(pix) => ({
                start: <Badge pix={pix} />,
                startDetail: formatDateTime(pix.paid_at),
                end: formatMoney(centsOf(pix.amount)),
                endDetail: <span className="block max-w-[10rem] truncate">{reasonText(pix.why)}</span>,
              })}
            />
            {data && rows && (
              <AdminPagination noun="Pix" list={data} rowCount={rows.length} onPage={showPage} />
            )}
          </>
        )}
      </ListBody>
      {selectedPix !== undefined && (
        <SuspenseDetail pix={selectedPix} onClose={() => setSelectedId(undefined)} />
      )}
    </>
  );
}

function sentenceOf(data: { total: number; total_amount: number } | undefined): string {
  if (data === undefined || data.total === 0) return 'O que chegou e não é de nenhuma cobrança.';
  const sum = formatMoney(centsOf(data.total_amount));
  return data.total === 1
    ? `1 Pix espera, ${sum}.`
    : `${formatCount(data.total)} Pix esperam, ${sum} ao todo.`;
}

function Badge({ pix }: { pix: SuspensePix }) {
  const { glyph, label } = suspenseBadge(pix);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

const columns: readonly Column<SuspensePix>[] = [
  {
    key: 'paid',
    head: 'Pago em',
    cell: ({ paid_at }) => formatDateTime(paid_at),
    skeleton: 'w-32',
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amount }) => formatMoney(centsOf(amount)),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'why',
    head: 'Por que não tem dono',
    cell: ({ why, end_to_end_id }) => (
      <span className="block max-w-36 py-2 lg:max-w-none lg:pl-6">
        <span className="block whitespace-normal">{reasonText(why)}</span>
        <span className="block truncate">
          <Code className="text-muted">{end_to_end_id}</Code>
        </span>
      </span>
    ),
    width: 'lg:pl-10!',
    skeleton: 'w-36 lg:ml-6 lg:w-64',
  },
  {
    key: 'status',
    head: 'Situação',
    cell: (pix) => <Badge pix={pix} />,
    skeleton: 'h-5.5 w-24',
  },
];
