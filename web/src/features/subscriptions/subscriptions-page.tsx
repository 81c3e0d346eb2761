import { type SubscriptionStatus, subscriptionStatuses } from '@jangada/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { LoadFailure, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  OutdatedResults,
  PageHeader,
  SegmentedControl,
  SelectField,
  useIsNarrow,
} from '../../ui/index.ts';
import { ExportSubscriptions } from './export-subscriptions.tsx';
import { SubscriptionPage } from './subscription-page.tsx';
import { EndedReasons, SubscriptionFigures } from './subscription-summary.tsx';
import {
  SEARCH_MAX_LENGTH,
  type SubscriptionsFilter,
  subscriptionsFilterFrom,
} from './subscriptions-filter.ts';
import { subscriptionsQuery, summaryQuery } from './subscriptions-queries.ts';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const FAILURE = 'Erro ao buscar as assinaturas';

/** The merchant's subscriptions, with what they are expected to bring, or the one that the URL names. */
export function SubscriptionsPage() {
  const { id, ...filter } = useSearch(subscriptionsFilterFrom);
  return id === undefined ? <SubscriptionsList filter={filter} /> : <SubscriptionPage key={id} id={id} />;
}

function SubscriptionsList({ filter }: { filter: SubscriptionsFilter }) {
  const navigate = useNavigate();
  const isApproved = useSession(isAccountApproved);
  const mayManage = useMay('manage-charges');
  const mayImport = useMay('manage-customers') && mayManage;
  const summary = useQuery(summaryQuery);
  const query = useInfiniteQuery(subscriptionsQuery(filter));
  const rows = rowsOf(
    query,
    query.data?.pages.flatMap(({ data }) => data),
  );
  const isFiltered = filter.status !== undefined || filter.search !== undefined;
  const hasNone = rows?.length === 0 && !isFiltered;
  const setFilter = (next: SubscriptionsFilter) => void navigate({ to: paths.subscriptions, search: next });
  const newButton = isApproved && mayManage && (
    <Link to={paths.newSubscription} className={buttonClass({ variant: 'primary' })}>
      <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Nova assinatura
    </Link>
  );
  const importLink = isApproved && mayImport && (
    <Link to={paths.newSubscription} search={{ from: 'file' }} className={buttonClass()}>
      Importar
    </Link>
  );
  return (
    <>
      <PageHeader
        title="Assinaturas"
        sentence="Cobranças que se repetem: o pagador autoriza uma vez, e o banco dele debita."
        actions={
          !hasNone &&
          query.data !== undefined && (
            <>
              {rows !== undefined && rows.length > 0 && <ExportSubscriptions filter={filter} />}
              {importLink}
              {newButton}
            </>
          )
        }
      />
      {rows === undefined && query.isError ? (
        <LoadFailure
          query={query}
          title={FAILURE}
          reassurance="Os débitos combinados seguem."
          notOffered="Este provedor não oferece assinaturas."
        />
      ) : hasNone ? (
        isApproved ? (
          <NoSubscriptions
            action={
              <span className="flex flex-wrap justify-center gap-2">
                {newButton}
                {importLink}
              </span>
            }
          />
        ) : (
          <NotApproved drawing="nothing-yet" />
        )
      ) : (
        <>
          {!summary.isError && <SubscriptionFigures summary={summary.data} />}
          <Filters filter={filter} onFilter={setFilter} />
          <OutdatedResults when={query.isPlaceholderData}>
            {rows?.length === 0 && !query.hasNextPage ? (
              <EmptyState
                className="border-t border-base-300"
                drawing="no-result"
                title="Nada com esse filtro"
                action={<Button onClick={() => setFilter({})}>Limpar filtros</Button>}
              >
                Nenhuma assinatura combina com o que você procura.
              </EmptyState>
            ) : (
              <SubscriptionsTable subscriptions={rows} onOpen={({ id }) => setFilter({ ...filter, id })} />
            )}
          </OutdatedResults>
          <LoadMore query={query} failure={FAILURE} />
          {summary.data && summary.data.ended.length > 0 && <EndedReasons summary={summary.data} />}
        </>
      )}
    </>
  );
}

function NoSubscriptions({ action }: { action: React.ReactNode }) {
  return (
    <EmptyState drawing="nothing-yet" title="Nenhuma assinatura ainda" action={action}>
      Com o Pix Automático a pessoa autoriza uma vez no banco dela, e cada mensalidade é debitada sozinha.
      Comece por uma assinatura: diga quem paga, quanto e quando, e envie a página para ela autorizar.
    </EmptyState>
  );
}

const statusLabels: Readonly<Record<SubscriptionStatus, string>> = {
  waiting: 'Esperando',
  active: 'Ativas',
  past_due: 'Em atraso',
  ended: 'Encerradas',
};
const choices = [
  { value: 'all', label: 'Todas' },
  ...subscriptionStatuses.map((value) => ({ value, label: statusLabels[value] })),
];

type FiltersProps = { filter: SubscriptionsFilter; onFilter: (filter: SubscriptionsFilter) => void };

/** The choice of a state and the search. Five states fit side by side only on wide screens. */
function Filters({ filter, onFilter }: FiltersProps) {
  const isNarrow = useIsNarrow();
  const { status: _, ...withoutStatus } = filter;
  const selectStatus = (value: string) => {
    const status = subscriptionStatuses.find((candidate) => candidate === value);
    onFilter({ ...withoutStatus, ...(status !== undefined && { status }) });
  };
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-3 max-md:grid max-md:grid-cols-1">
      {isNarrow ? (
        <SelectField
          label="Estado"
          labelHidden
          look="line"
          options={choices}
          value={filter.status ?? 'all'}
          onChange={(event) => selectStatus(event.currentTarget.value)}
        />
      ) : (
        <SegmentedControl
          label="Estado"
          segments={choices}
          value={filter.status ?? 'all'}
          onChange={selectStatus}
        />
      )}
      <SearchField
        label="Buscar assinatura"
        placeholder="Nome, CPF ou o que é"
        maxLength={SEARCH_MAX_LENGTH}
        width="md:w-64"
        search={filter.search ?? ''}
        onSearch={(search) => {
          const { search: _search, ...others } = filter;
          onFilter({ ...others, ...(search !== '' && { search }) });
        }}
      />
    </div>
  );
}
