import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import {
  EmptyState,
  PageHeader,
  RefreshButton,
  SegmentedControl,
  SelectField,
  useIsNarrow,
} from '../../ui/index.ts';
import { adminWithdrawalsQuery, refetchAdminLists } from './admin-queries.ts';
import { adminWithdrawalsFilterFrom, type WithdrawalView } from './list-filters.ts';
import { PayoutsPanel } from './payouts-panel.tsx';
import { AdminWithdrawalDetail } from './withdrawal-detail.tsx';
import { AdminWithdrawalsTable } from './withdrawals-table.tsx';

const FAILURE = 'Erro ao buscar saques.';
const POLL_MS = 15_000;

/**
 * The administrators' page of all merchants' withdrawals, with the button that stops all payouts, the Pix that the
 * gateway sends.
 */
export function AdminWithdrawalsPage() {
  const { view = 'open' } = useSearch(adminWithdrawalsFilterFrom);
  const navigate = useNavigate();
  const list = useInfiniteQuery({
    ...adminWithdrawalsQuery(view),
    // Polling fetches every loaded page again, so it stops once a second page is loaded.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : POLL_MS),
  });
  const [selectedId, setSelectedId] = useState<string>();
  const withdrawals = rowsOf(
    list,
    list.data?.pages.flatMap((page) => page.withdrawals),
  );
  const selectedWithdrawal = withdrawals?.find(({ id }) => id === selectedId);
  const showView = (newView: WithdrawalView) =>
    void navigate({ to: paths.adminWithdrawals, search: newView === 'open' ? {} : { view: newView } });
  return (
    <>
      <PageHeader
        title="Saques dos lojistas"
        sentence="O que sai, o que espera e o que o segura."
        actions={<RefreshButton isRefreshing={list.isFetching} onRefresh={() => void refetchAdminLists()} />}
      />
      <PayoutsPanel />
      <div className="mb-3">
        <ViewFilter view={view} onView={showView} />
      </div>
      <ListBody query={list} title={FAILURE}>
        {withdrawals?.length === 0 ? (
          <EmptyState className="border-t border-base-300" drawing="all-done" title={emptyTexts[view].title}>
            {emptyTexts[view].sentence}
          </EmptyState>
        ) : (
          <>
            <AdminWithdrawalsTable withdrawals={withdrawals} onOpen={({ id }) => setSelectedId(id)} />
            <LoadMore query={list} failure={FAILURE} />
          </>
        )}
      </ListBody>
      {selectedWithdrawal !== undefined && (
        <AdminWithdrawalDetail withdrawal={selectedWithdrawal} onClose={() => setSelectedId(undefined)} />
      )}
    </>
  );
}

const views = [
  { value: 'open', label: 'Em andamento' },
  { value: 'held', label: 'Segurados' },
  { value: 'in-doubt', label: 'Em dúvida' },
  { value: 'completed', label: 'Concluídos' },
  { value: 'failed', label: 'Falharam' },
] as const satisfies readonly { value: WithdrawalView; label: string }[];

const emptyTexts: Record<WithdrawalView, { title: string; sentence: string }> = {
  open: {
    title: 'Nenhum saque em andamento',
    sentence: 'O que os lojistas pedirem aparece aqui até chegar ao fim.',
  },
  held: {
    title: 'Nenhum saque segurado',
    sentence: 'Um saque que ainda não saiu pode ser segurado pelos seus detalhes.',
  },
  'in-doubt': {
    title: 'Nenhum saque em dúvida',
    sentence: 'O banco disse o desfecho de tudo o que foi enviado.',
  },
  completed: {
    title: 'Nenhum saque concluído',
    sentence: 'Os saques pagos ficam aqui, do mais novo ao mais antigo.',
  },
  failed: { title: 'Nenhum saque falhou', sentence: 'O que o banco recusar aparece aqui, com o motivo.' },
};

type ViewFilterProps = { view: WithdrawalView; onView: (view: WithdrawalView) => void };

/** The choice of a view. Its five values fit side by side only on wide screens; narrow screens show a select field. */
function ViewFilter({ view, onView }: ViewFilterProps) {
  if (!useIsNarrow())
    return <SegmentedControl label="Quais" segments={views} value={view} onChange={onView} />;
  return (
    <SelectField
      label="Quais"
      labelHidden
      look="line"
      options={views}
      value={view}
      onChange={({ currentTarget }) => {
        const chosenView = views.find(({ value }) => value === currentTarget.value);
        if (chosenView !== undefined) onView(chosenView.value);
      }}
    />
  );
}
