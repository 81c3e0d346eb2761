import type { FeeStatementsPage } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { feesText, monthTitle } from '../../panel/fees/fee-parts.tsx';
import { ListBody, LoadFailure, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { pageCountOf } from '../../panel/url-params.ts';
import {
  buttonClass,
  EmptyState,
  FigureCell,
  Notice,
  PageHeader,
  Pagination,
  Panel,
  SectionHeader,
  SkeletonText,
} from '../../ui/index.ts';
import { DaysTable } from './days-table.tsx';
import { feesFilterFrom } from './fees-filter.ts';
import { feesQuery, useFeeStatement } from './fees-queries.ts';
import { FeeStatementSkeleton, FeeStatementView } from './statement-view.tsx';
import { StatementsTable } from './statements-table.tsx';

const FAILURE = 'Erro ao buscar as faturas';
const REASSURANCE = 'Nada mudou nas suas faturas por isso.';

/**
 * The fees of a merchant who is paid into own accounts: the running month and the monthly statements, or the one
 * statement that the URL names.
 */
export function FeesPage() {
  const { id, page = 1 } = useSearch(feesFilterFrom);
  return id === undefined ? <FeesList page={page} /> : <StatementPage id={id} />;
}

function StatementPage({ id }: { id: string }) {
  const statement = useFeeStatement(id);
  const isNotFound = statement.error instanceof ApiError && statement.error.status === 404;
  const content = () => {
    if (statement.data) return <FeeStatementView statement={statement.data} />;
    if (isNotFound)
      return (
        <EmptyState drawing="no-result" title="Fatura não encontrada.">
          Nenhuma fatura da sua conta tem este endereço.
        </EmptyState>
      );
    if (statement.isError)
      return <LoadFailure query={statement} title="Erro ao buscar a fatura" reassurance={REASSURANCE} />;
    return <FeeStatementSkeleton />;
  };
  return (
    <>
      <PageHeader
        title="Fatura de tarifas"
        sentence={
          statement.data === undefined
            ? 'As tarifas de um mês, dia a dia.'
            : `${monthTitle(statement.data.month)}, fatura ${statement.data.number}.`
        }
        actions={
          <Link to={paths.fees} className={buttonClass()}>
            Todas as faturas
          </Link>
        }
      />
      {content()}
    </>
  );
}

function FeesList({ page }: { page: number }) {
  const list = useQuery(feesQuery(page));
  const { data } = list;
  const navigate = useNavigate();
  const rows = rowsOf(list, data?.statements);
  const pageCount = pageCountOf({ total: data?.total ?? 0, limit: data?.limit ?? 1 });
  const firstRow = (page - 1) * (data?.limit ?? 0) + 1;
  const rowRange = `${firstRow}–${firstRow + (rows?.length ?? 0) - 1} de ${formatCount(data?.total ?? 0)}`;
  return (
    <>
      <PageHeader
        title="Tarifas"
        sentence="O que você deve ao operador pelos Pix que caíram direto na sua conta e pelos saques que saíram dela."
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      {data && <OverdueNotice page={data} />}
      {!list.isError && <Figures page={data} />}
      <ListBody query={list} title={FAILURE} reassurance={REASSURANCE}>
        {rows?.length === 0 ? (
          <NoStatements isFirstPage={page === 1} />
        ) : (
          <>
            <StatementsTable
              statements={rows}
              onOpen={({ id }) => void navigate({ to: paths.fees, search: { id } })}
            />
            {data && rows && pageCount > 1 && (
              <Pagination
                page={page}
                pageCount={pageCount}
                onPage={(newPage) =>
                  void navigate({ to: paths.fees, search: feesFilterFrom({ page: newPage }) })
                }
                summary={`Faturas ${rowRange}`}
                shortSummary={rowRange}
              />
            )}
          </>
        )}
      </ListBody>
      {data && data.running.days.length > 0 && (
        <section className="mt-10" aria-labelledby="running">
          <SectionHeader id="running" title={`${monthTitle(data.running.month)} até agora`} />
          <DaysTable days={data.running.days} label="Tarifas do mês" />
        </section>
      )}
    </>
  );
}

function NoStatements({ isFirstPage }: { isFirstPage: boolean }) {
  const { has_own_accounts, isKnown } = useMerchantBank();
  if (!isFirstPage)
    return (
      <EmptyState className="border-t border-base-300" drawing="no-result" title="Nada nesta página">
        As faturas estão nas páginas anteriores.
      </EmptyState>
    );
  return (
    <EmptyState className="border-t border-base-300" drawing="nothing-yet" title="Nenhuma fatura ainda">
      {isKnown && !has_own_accounts
        ? 'As tarifas dos seus pagamentos são descontadas na hora. Faturas são para quem recebe em conta própria.'
        : 'No primeiro dia de cada mês, as tarifas do mês anterior viram uma fatura, que você paga por Pix até o dia 10.'}
    </EmptyState>
  );
}

/** Says that charges have stopped, or when they will. */
function OverdueNotice({ page }: { page: FeeStatementsPage }) {
  const { oldest_open: oldest, stops_charges: stopsCharges } = page;
  if (oldest === null || !oldest.is_overdue) return null;
  const action = (
    <Link to={paths.fees} search={{ id: oldest.id }} className={buttonClass({ size: 'small' })}>
      Pagar
    </Link>
  );
  return stopsCharges ? (
    <Notice tone="error" announced={false} className="mb-5" title="Novas cobranças paradas." action={action}>
      Elas voltam assim que a fatura vencida em {formatCalendarDay(oldest.due_on)} for paga.
    </Notice>
  ) : (
    <Notice tone="warning" className="mb-5" title="Fatura vencida." action={action}>
      Sem o pagamento, novas cobranças param em {formatCalendarDay(oldest.stops_on)}.
    </Notice>
  );
}

function Figures({ page }: { page: FeeStatementsPage | undefined }) {
  const figureSkeleton = <SkeletonText line="h-6 md:h-7" className="h-5 w-32" />;
  const contextSkeleton = <SkeletonText line="h-4" className="h-3 w-24" />;
  return (
    <Panel flush className="mb-5" label="Situação">
      <div className="grid divide-base-300 max-md:divide-y md:grid-cols-2 md:divide-x">
        <FigureCell
          row
          label="A pagar"
          figure={page ? formatMoney(centsOf(page.open_amount)) : figureSkeleton}
          context={page ? dueText(page.oldest_open) : contextSkeleton}
        />
        <FigureCell
          row
          label={page ? `${monthTitle(page.running.month)}, até agora` : 'Mês corrente'}
          figure={page ? formatMoney(centsOf(page.running.amount)) : figureSkeleton}
          context={page ? feesText(page.running.fees) : contextSkeleton}
        />
      </div>
    </Panel>
  );
}

function dueText(oldest: FeeStatementsPage['oldest_open']): string {
  if (oldest === null) return 'nenhuma fatura em aberto';
  return `${oldest.is_overdue ? 'venceu' : 'vence'} em ${formatCalendarDay(oldest.due_on)}`;
}
