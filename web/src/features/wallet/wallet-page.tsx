import type { DayModel, DaySpan, ReservesModel, TaxesModel, WalletModel } from '@jangada/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { lastVisitShownBy, withLastVisit } from '../../api/last-visit.ts';
import {
  dailyQuery,
  profileQuery,
  reservesQuery,
  settingsQuery,
  taxesQuery,
  walletQuery,
} from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { openDisputesQuery, useDisputeNotice } from '../../panel/dispute-notice.tsx';
import { LastVisitSentence } from '../../panel/last-visit-sentence.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import {
  buttonClass,
  classNames,
  EmptyState,
  OutdatedResults,
  PageHeader,
  Panel,
  RefreshButton,
  toastError,
} from '../../ui/index.ts';
import { AvailableBalance } from './available-balance.tsx';
import { BalanceByDay } from './balance-by-day.tsx';
import { BalanceExplanations } from './balance-explanations.tsx';
import { type FigurePeriod, longestStatementPeriod } from './figure-link.tsx';
import { Releases } from './releases.tsx';
import { splitBalance } from './split-bar.tsx';
import { SummaryTable } from './summary-table.tsx';
import { reserveDaysOf, WalletCells } from './wallet-cells.tsx';

const LOAD_ERROR = 'Erro ao buscar estatísticas da carteira.';
const REFRESH_ERROR = 'Erro ao atualizar estatísticas da carteira.';

/** The merchant's balances: available, reserved and blocked. */
export function WalletPage() {
  const queries = useWalletQueries();
  const { wallet, currentWallet, days, disputeNotice, outdatedSince } = queries;
  const canWithdraw = useCanWithdraw();
  const haveDaysFailed = days.data === undefined && days.isError;
  // When the provider (the gateway behind the dashboard) has no daily figures at all, the chart is left out entirely.
  const hasChart = !(haveDaysFailed && days.error instanceof UnsupportedCallError);
  const period = longestStatementPeriod(queries.profile.data?.createdAt ?? null, new Date());
  const isEmpty = wallet.data?.totalTransactions === 0 && splitBalance(wallet.data).totalCents === 0;
  return (
    <>
      <WalletHeader
        wallet={wallet}
        outdatedSince={outdatedSince}
        onRefresh={queries.refresh}
        canWithdraw={canWithdraw}
      />
      {wallet.data === undefined && wallet.isError ? (
        <LoadFailure
          query={{ ...wallet, refetch: queries.refresh }}
          title={LOAD_ERROR}
          reassurance="Seu dinheiro está a salvo; nada foi perdido."
        />
      ) : (
        <>
          {disputeNotice.notice}
          {/* Content below the notice is hidden until it is known whether the notice shows, so that nothing shifts. */}
          <div className={disputeNotice.isKnown ? undefined : 'invisible'}>
            <Panel flush className="mb-6 divide-y divide-base-300" label="Saldos">
              <div
                className={classNames(
                  'grid divide-base-300 max-lg:divide-y lg:divide-x',
                  hasChart && 'lg:grid-cols-[minmax(0,4fr)_minmax(0,9fr)]',
                )}
              >
                <AvailableBalance wallet={currentWallet} />
                <BalanceChart
                  isEmpty={isEmpty}
                  hasChart={hasChart}
                  haveDaysFailed={haveDaysFailed}
                  days={days}
                  span={queries.span}
                  onSpan={queries.setSpan}
                />
              </div>
              <OutdatedResults when={wallet.isPlaceholderData}>
                <WalletCells
                  wallet={wallet.data}
                  taxes={queries.taxes.data}
                  disputes={queries.disputes.data}
                  reserves={queries.reserves.data}
                  period={period}
                />
              </OutdatedResults>
            </Panel>
            <OutdatedResults when={wallet.isPlaceholderData}>
              <WalletDetails
                wallet={wallet}
                period={period}
                reserves={queries.reserves}
                taxes={queries.taxes}
                canWithdraw={canWithdraw}
              />
            </OutdatedResults>
          </div>
        </>
      )}
    </>
  );
}

/** True when the account is approved, the gateway offers withdrawals, and the person's role may make them. */
function useCanWithdraw(): boolean {
  const isApproved = useSession(isAccountApproved);
  const settings = useQuery(settingsQuery);
  const mayWithdraw = useMay('withdraw');
  return isApproved && mayWithdraw && settings.data?.withdrawals !== false;
}

/** The queries of the screen, with a function that refetches all of them. */
function useWalletQueries() {
  const wallet = useQuery(withLastVisit(walletQuery));
  const taxes = useQuery(withLastVisit(taxesQuery));
  const [span, setSpan] = useState<DaySpan>(30);
  const days = useQuery(withLastVisit(dailyQuery(span)));
  const profile = useQuery(profileQuery);
  const reserves = useQuery(withLastVisit(reservesQuery));
  const disputes = useQuery(openDisputesQuery);
  const disputeNotice = useDisputeNotice();
  const refresh = async () => {
    const queries = [wallet, days, taxes, profile, reserves, disputes];
    const results = await Promise.all(queries.map((query) => query.refetch()));
    const failed = results.find(({ error }) => error !== null && !(error instanceof UnsupportedCallError));
    if (failed) toastError(errorText(failed.error, REFRESH_ERROR));
  };

  // The balance that can be withdrawn is never shown as it was on the last visit.
  const currentWallet = wallet.isPlaceholderData ? undefined : wallet.data;
  const outdatedSince = lastVisitShownBy(wallet, taxes, days, reserves);

  return {
    wallet,
    currentWallet,
    outdatedSince,
    taxes,
    span,
    setSpan,
    days,
    profile,
    reserves,
    disputes,
    disputeNotice,
    refresh,
  };
}

type WalletDetailsProps = {
  wallet: UseQueryResult<WalletModel>;
  period: FigurePeriod;
  reserves: UseQueryResult<ReservesModel>;
  taxes: UseQueryResult<TaxesModel>;
  canWithdraw: boolean;
};

function WalletDetails({ wallet, period, reserves, taxes, canWithdraw }: WalletDetailsProps) {
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
      <div className="grid grid-cols-1 content-start gap-8">
        <SummaryTable wallet={wallet.data} period={period} />
        {reserves.data !== undefined && reserves.data.releases.length > 0 && (
          <Releases reserves={reserves.data} />
        )}
      </div>
      <BalanceExplanations reserveDays={reserveDaysOf(taxes.data)} canWithdraw={canWithdraw} />
    </div>
  );
}

type WalletHeaderProps = {
  wallet: UseQueryResult<WalletModel>;
  outdatedSince: Date | undefined;
  onRefresh: () => Promise<void>;
  canWithdraw: boolean;
};

function WalletHeader({ wallet, outdatedSince, onRefresh, canWithdraw }: WalletHeaderProps) {
  return (
    <PageHeader
      title="Minha Carteira"
      sentence={
        <LastVisitSentence since={outdatedSince}>
          Quanto é seu, quanto está guardado e o que está a caminho.
        </LastVisitSentence>
      }
      actions={
        <>
          <RefreshButton
            isRefreshing={wallet.isFetching && wallet.data !== undefined}
            onRefresh={onRefresh}
          />
          <Link to={paths.transactions} className={buttonClass(canWithdraw ? {} : { variant: 'primary' })}>
            Ver transações
          </Link>
          {canWithdraw && (
            <Link to={paths.withdrawals} className={buttonClass({ variant: 'primary' })}>
              <ArrowUpRight className="size-4" strokeWidth={1.75} aria-hidden="true" />
              Sacar
            </Link>
          )}
        </>
      }
    />
  );
}

type BalanceChartProps = {
  isEmpty: boolean;
  hasChart: boolean;
  haveDaysFailed: boolean;
  days: UseQueryResult<DayModel[]>;
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
};

function BalanceChart({ isEmpty, hasChart, haveDaysFailed, days, span, onSpan }: BalanceChartProps) {
  if (isEmpty)
    return (
      <EmptyState drawing="nothing-yet" title="Nenhum saldo ainda" className="py-8!">
        O saldo de cada dia aparece aqui depois do primeiro Pix.
      </EmptyState>
    );
  if (!hasChart) return null;
  if (haveDaysFailed)
    return (
      <LoadFailure
        query={days}
        title="Erro ao buscar o saldo por dia."
        reassurance="Seus saldos não mudaram por isso."
        place="part"
      />
    );
  return (
    <OutdatedResults when={days.isPlaceholderData}>
      <BalanceByDay days={days.data} span={span} onSpan={onSpan} />
    </OutdatedResults>
  );
}
