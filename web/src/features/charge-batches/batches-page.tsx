import type { ChargeBatch } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { ChargesHeader } from '../../panel/charge/charges-header.tsx';
import { chargesSearchFrom } from '../../panel/charge/charges-search.ts';
import { ListBody, LoadMore, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, type Column, EmptyState, Table } from '../../ui/index.ts';
import { BatchPage } from './batch-page.tsx';
import { BatchBadge, batchName, outcomeText } from './batch-words.tsx';
import { batchesQuery } from './batches-queries.ts';

const FAILURE = 'Erro ao buscar os lotes';

/** The batches of charges that were imported or sent by the API, or the one that the URL names. */
export function BatchesPage() {
  const { id, state } = useSearch(chargesSearchFrom) ?? {};
  return id === undefined ? <BatchesList /> : <BatchPage key={id} id={id} state={state} />;
}

function BatchesList() {
  const navigate = useNavigate();
  const list = useInfiniteQuery(batchesQuery);
  const isApproved = useSession(isAccountApproved);
  const mayCreate = useMay('manage-charges');
  const rows = rowsOf(
    list,
    list.data?.pages.flatMap(({ data }) => data),
  );
  const importLink = isApproved && mayCreate && (
    <Link to={paths.dueCharges} search={{ tab: 'import' }} className={buttonClass({ variant: 'primary' })}>
      <FileUp className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Importar cobranças
    </Link>
  );
  return (
    <>
      <ChargesHeader
        tab="batches"
        sentence="Cobranças criadas de uma vez, por arquivo ou pela API."
        actions={
          <>
            <RefreshQueryButton query={list} failure={FAILURE} />
            {rows?.length !== 0 && importLink}
          </>
        }
      />
      <ListBody query={list} title={FAILURE} reassurance="As cobranças continuam sendo criadas.">
        {rows?.length === 0 ? (
          <EmptyState drawing="nothing-yet" title="Nenhum lote ainda" action={importLink || undefined}>
            Com um arquivo CSV você cria até 10.000 cobranças de uma vez, cada uma com link e código.
          </EmptyState>
        ) : (
          <>
            <Table
              label="Lotes"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              openLabel="Abrir"
              onOpen={({ id }) => void navigate({ to: paths.dueCharges, search: { tab: 'batches', id } })}
              narrowRowContent={(batch) => ({
                start: <bdi className="line-clamp-1 wrap-anywhere">{batchName(batch)}</bdi>,
                startDetail: `${formatDateTime(batch.created_at)} · ${outcomeText(batch)}`,
                end: formatCount(batch.size),
                endDetail: <BatchBadge batch={batch} />,
              })}
            />
            <LoadMore query={list} failure={FAILURE} />
          </>
        )}
      </ListBody>
    </>
  );
}

const columns: readonly Column<ChargeBatch>[] = [
  {
    key: 'name',
    head: 'Lote',
    cell: (batch) => <bdi className="block max-w-80 truncate font-medium">{batchName(batch)}</bdi>,
    width: 'w-[34%]',
  },
  { key: 'at', head: 'Confirmado em', cell: ({ created_at }) => formatDateTime(created_at) },
  { key: 'size', head: 'Linhas', cell: ({ size }) => formatCount(size), align: 'end' },
  { key: 'outcome', head: 'Resultado', cell: outcomeText, tone: 'muted', skeleton: 'w-32' },
  { key: 'state', head: 'Situação', cell: (batch) => <BatchBadge batch={batch} />, skeleton: 'h-5.5 w-20' },
];
