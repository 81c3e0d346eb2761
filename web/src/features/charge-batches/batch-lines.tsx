import { batchLineStates, type ChargeBatch, type ChargeBatchLine } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { paths } from '../../app/paths.ts';
import { formatCount } from '../../format/money.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { CopyLink } from '../../panel/charge/link-buttons.tsx';
import { ListBody, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import { type Column, EmptyState, SectionHeader, SelectField, StatusBadge, Table } from '../../ui/index.ts';
import { lineBadges } from './batch-words.tsx';
import { linesQuery } from './batches-queries.ts';

const FAILURE = 'Erro ao buscar as linhas';

const stateChoices = [
  { value: 'all', label: 'Todas' },
  ...batchLineStates.map((value) => ({ value, label: lineBadges[value].label })),
];

type BatchLinesProps = { batch: ChargeBatch; state: string | undefined };

/** The lines of a batch, each with the charge that it became or why it did not. */
export function BatchLines({ batch, state: wanted }: BatchLinesProps) {
  const navigate = useNavigate();
  const state = batchLineStates.find((name) => name === wanted);
  const list = useInfiniteQuery(linesQuery(batch.id, state, batch.status === 'working'));
  const rows = rowsOf(
    list,
    list.data?.pages.flatMap(({ data }) => data),
  );
  return (
    <section aria-labelledby="lines">
      <SectionHeader
        id="lines"
        title="Linhas"
        aside={
          <SelectField
            label="Situação das linhas"
            labelHidden
            look="line"
            className="w-40 max-md:mb-2"
            options={stateChoices}
            value={state ?? 'all'}
            onChange={(event) => {
              const { value } = event.currentTarget;
              const search = {
                tab: 'batches',
                id: batch.id,
                ...(value !== 'all' && { state: value }),
              } as const;
              void navigate({ to: paths.dueCharges, search, replace: true });
            }}
          />
        }
      />
      <ListBody query={list} title={FAILURE} reassurance="As cobranças continuam valendo.">
        {rows?.length === 0 ? (
          <EmptyState drawing="no-result" title="Nenhuma linha assim">
            Escolha outra situação para ver as outras linhas.
          </EmptyState>
        ) : (
          <>
            <Table
              label="Linhas do lote"
              columns={columns}
              rows={rows}
              rowKey={({ line }) => String(line)}
              narrowRowContent={(line) => ({
                start: <bdi className="line-clamp-1 wrap-anywhere">{line.external_id}</bdi>,
                startDetail: line.message ?? <ChargeLinks {...line} />,
                end: <State {...line} />,
              })}
            />
            <LoadMore query={list} failure={FAILURE} />
          </>
        )}
      </ListBody>
    </section>
  );
}

const columns: readonly Column<ChargeBatchLine>[] = [
  { key: 'line', head: 'Nº', cell: ({ line }) => formatCount(line), width: 'w-16', tone: 'muted' },
  {
    key: 'id',
    head: 'Seu código',
    cell: ({ external_id }) => <bdi className="block max-w-64 truncate">{external_id}</bdi>,
    width: 'w-[26%]',
  },
  { key: 'state', head: 'Situação', cell: (line) => <State {...line} />, skeleton: 'h-5.5 w-20' },
  {
    key: 'outcome',
    head: 'Cobrança, ou o motivo',
    cell: (line) =>
      line.message === null ? (
        <ChargeLinks {...line} />
      ) : (
        <span className="block whitespace-normal">{line.message}</span>
      ),
    width: 'w-[42%]',
  },
];

function State({ state }: ChargeBatchLine) {
  return <StatusBadge status={lineBadges[state].glyph}>{lineBadges[state].label}</StatusBadge>;
}

function ChargeLinks({ payment_id, checkout_url }: ChargeBatchLine) {
  if (payment_id === null) return '—';
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link to={paths.transactions} search={{ id: payment_id }} className="link">
        Ver cobrança
      </Link>
      {checkout_url !== null && <CopyLink size="small" variant="quiet" url={checkout_url} />}
    </span>
  );
}
