import {
  getStatement,
  parseStatement,
  type StatementAccount,
  statementAccounts,
  statementKinds,
} from '@jangada/contract';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { send } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { dayOf, shiftDay } from '../../format/date.ts';
import { ListBody, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import { periodFrom } from '../../panel/period.ts';
import { PeriodField } from '../../panel/period-field.tsx';
import {
  Button,
  EmptyState,
  Notice,
  PageHeader,
  SegmentedControl,
  SelectField,
  toastError,
} from '../../ui/index.ts';
import { ExportButtons, useExport } from './export-buttons.tsx';
import { StatementFigures } from './statement-figures.tsx';
import { type StatementFilter, statementFilterFrom } from './statement-filter.ts';
import { StatementTable } from './statement-table.tsx';
import { accountSentences, accountWords, kindWords } from './statement-words.ts';

const YEAR_DAYS = 366;
const FAILURE = 'Erro ao buscar o extrato';

/** Every movement of a balance, with the balance after it. The filter is kept in the address. */
export function StatementPage() {
  const filter: StatementFilter = statementFilterFrom(useSearch({ strict: false }));
  const navigate = useNavigate();
  const statement = useInfiniteQuery(statementQuery(filter));
  const pages = statement.data?.pages;
  const newest = pages?.[0];
  const lines = rowsOf(
    statement,
    pages?.flatMap((page) => page.lines),
  );
  // Placeholder data would give the file the days of an earlier filter.
  const exported = useExport(filter, statement.isPlaceholderData ? undefined : newest);
  const account: StatementAccount = filter.account ?? 'available';

  const show = (next: StatementFilter) => {
    exported.reset();
    void navigate({ to: paths.statement, search: next });
  };
  // A single page is refetched as money moves. Several would be refetched one by one each time, so that waits for the
  // user.
  const moved = statement.isStale && !statement.isPlaceholderData && isOpenEnded(newest?.to);
  const reload = moved && pages?.length === 1 && !statement.isFetching && !statement.isError;
  const { refetch } = statement;
  useEffect(() => {
    if (reload) void refetch();
  }, [reload, refetch]);

  const update = async () => {
    const { error } = await refetch();
    if (error !== null) toastError(errorText(error, FAILURE));
  };

  return (
    <>
      <PageHeader
        title="Extrato"
        sentence={accountSentences[account]}
        actions={<ExportButtons exported={exported} />}
      />
      {exported.isError && (
        <Notice tone="error" className="mb-4">
          {errorText(exported.error, 'Erro ao exportar o extrato. Tente de novo.')}
        </Notice>
      )}
      <Filters account={account} filter={filter} onShow={show} />
      <ListBody of={statement} title={FAILURE} meanwhile="Seu dinheiro está a salvo; nada foi perdido.">
        <StatementFigures statement={newest} ofOneKind={filter.kind !== undefined} />
        {moved && !reload && !statement.isFetching && <MovedNotice onUpdate={update} />}
        {lines?.length === 0 ? (
          <Nothing filter={filter} onShow={show} />
        ) : (
          <>
            <StatementTable lines={lines} account={account} />
            <LoadMore of={statement} failure={FAILURE} />
          </>
        )}
      </ListBody>
    </>
  );
}

type FiltersProps = {
  account: StatementAccount;
  filter: StatementFilter;
  onShow: (next: StatementFilter) => void;
};

function Filters({ account, filter, onShow }: FiltersProps) {
  return (
    <div className="mb-4 grid gap-3 md:flex md:flex-wrap md:items-center md:justify-between">
      <SegmentedControl
        label="Saldo"
        segments={statementAccounts.map((value) => ({ value, label: accountWords[value] }))}
        value={account}
        onChange={(value) => {
          const { account: _account, kind: _kind, ...kept } = filter;
          onShow(value === 'available' ? kept : { ...kept, account: value });
        }}
      />
      <div className="grid grid-cols-2 gap-2 md:flex">
        <SelectField
          label="Tipo de movimento"
          labelHidden
          look="line"
          className="md:w-44"
          fieldClassName="md:h-9"
          options={[
            { value: '', label: 'Todos os tipos' },
            ...statementKinds.map((value) => ({ value, label: kindWords[value] })),
          ]}
          value={filter.kind ?? ''}
          onChange={(event) => {
            const { kind: _kind, ...kept } = filter;
            onShow(statementFilterFrom({ ...kept, kind: event.currentTarget.value }));
          }}
        />
        <PeriodField
          period={filter}
          whole="Últimos 30 dias"
          longest={{ days: YEAR_DAYS, problem: 'O período vai até um ano.' }}
          onPeriod={(period) => {
            const { from: _from, to: _to, ...kept } = filter;
            onShow({ ...kept, ...periodFrom(period) });
          }}
        />
      </div>
    </div>
  );
}

function MovedNotice({ onUpdate }: { onUpdate: () => Promise<void> }) {
  return (
    <Notice
      tone="info"
      className="mb-4"
      action={
        <Button size="small" onClick={onUpdate}>
          Atualizar
        </Button>
      }
    >
      Houve movimento na conta desde que o extrato foi aberto.
    </Notice>
  );
}

/** True when the last day shown is not over. */
function isOpenEnded(to: string | undefined): boolean {
  return to !== undefined && to >= dayOf(new Date());
}

function Nothing({ filter, onShow }: { filter: StatementFilter; onShow: (filter: StatementFilter) => void }) {
  const today = dayOf(new Date());
  const { account, kind, from } = filter;
  const kept = account === undefined ? {} : { account };
  if (kind !== undefined) {
    return (
      <EmptyState
        drawing="no-result"
        title="Nada com esse filtro"
        action={<Button onClick={() => onShow({ ...kept, ...periodFrom(filter) })}>Todos os tipos</Button>}
      >
        Nenhum movimento deste tipo no período.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing="nothing-yet"
      title="Nenhum movimento no período"
      action={
        from === undefined ? (
          <Button onClick={() => onShow({ ...kept, from: shiftDay(today, 1 - YEAR_DAYS), to: today })}>
            Ver o último ano
          </Button>
        ) : undefined
      }
    >
      Cada movimento deste saldo aparece aqui.
    </EmptyState>
  );
}

const LINES = 50;

/**
 * The statement, page by page, newest first. Loaded data is current until money moves, which `isStale` reports.
 */
const statementQuery = (filter: StatementFilter) =>
  infiniteQueryOptions({
    queryKey: ['statement', filter] as const,
    queryFn: async ({ signal, pageParam }) =>
      parseStatement(
        await send(getStatement, { query: { ...filter, limit: LINES, before: pageParam }, signal }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Figures of one balance must never appear under the name of another.
    placeholderData: (before, asked) => (asked?.queryKey[1].account === filter.account ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
