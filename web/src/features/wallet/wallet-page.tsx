import type { DayModel, DaySpan, ReservesModel, TaxesModel, WalletModel } from '@jangada/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { NotOffered } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import {
  dailyQuery,
  profileQuery,
  reservesQuery,
  settingsQuery,
  taxesQuery,
  walletQuery,
} from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { openDisputesQuery, useDisputeNotice } from '../../panel/dispute-notice.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useSession } from '../../session/session.ts';
import {
  buttonClass,
  classNames,
  EmptyState,
  PageHeader,
  Panel,
  RefreshButton,
  Superseded,
  toastError,
} from '../../ui/index.ts';
import { Available } from './available.tsx';
import { BalanceByDay } from './balance-by-day.tsx';
import { type StatementSearch, wholePeriod } from './figure-link.tsx';
import { Meanings } from './meanings.tsx';
import { Releases } from './releases.tsx';
import { splitOf } from './split-bar.tsx';
import { SummaryTable } from './summary-table.tsx';
import { reserveDaysOf, WalletCells } from './wallet-cells.tsx';

const LOAD_ERROR = 'Erro ao buscar estatísticas da carteira.';
const REFRESH_ERROR = 'Erro ao atualizar estatísticas da carteira.';

/** The merchant's balances: available, reserved and blocked. */
export function WalletPage() {
  const {
    wallet,
    taxes,
    span,
    setSpan,
    days,
    profile,
    reserves,
    disputes,
    known,
    notice,
    withdraws,
    refresh,
  } = useWallet();
  const unread = days.data === undefined && days.isError;
  // Without daily figures from the provider the chart is left out entirely.
  const charted = !(unread && days.error instanceof NotOffered);
  const period = wholePeriod(profile.data?.createdAt ?? null, new Date());
  const empty = wallet.data?.totalTransactions === 0 && splitOf(wallet.data).totalCents === 0;
  return (
    <>
      <WalletHeader wallet={wallet} onRefresh={refresh} withdraws={withdraws} />
      {wallet.data === undefined && wallet.isError ? (
        <LoadFailure
          of={{ ...wallet, refetch: refresh }}
          title={LOAD_ERROR}
          meanwhile="Seu dinheiro está a salvo; nada foi perdido."
        />
      ) : (
        <>
          {notice}
          {/* Content below the notice is hidden until it is known whether the notice shows, so that nothing shifts. */}
          <div className={known ? undefined : 'invisible'}>
            <Panel flush className="mb-6 divide-y divide-base-300" label="Saldos">
              <div
                className={classNames(
                  'grid divide-base-300 max-lg:divide-y lg:divide-x',
                  charted && 'lg:grid-cols-[minmax(0,4fr)_minmax(0,9fr)]',
                )}
              >
                <Available wallet={wallet.data} />
                <BalanceChart
                  empty={empty}
                  charted={charted}
                  unread={unread}
                  days={days}
                  span={span}
                  onSpan={setSpan}
                />
              </div>
              <WalletCells
                wallet={wallet.data}
                taxes={taxes.data}
                disputes={disputes.data}
                reserves={reserves.data}
                period={period}
              />
            </Panel>
            <WalletDetails
              wallet={wallet}
              period={period}
              reserves={reserves}
              taxes={taxes}
              withdraws={withdraws}
            />
          </div>
        </>
      )}
    </>
  );
}

/** The queries of the screen, and refetching all of them. */
function useWallet() {
  const wallet = useQuery(walletQuery);
  const taxes = useQuery(taxesQuery);
  const [span, setSpan] = useState<DaySpan>(30);
  const days = useQuery(dailyQuery(span));
  const profile = useQuery(profileQuery);
  const reserves = useQuery(reservesQuery);
  const disputes = useQuery(openDisputesQuery);
  const { known, notice } = useDisputeNotice();
  const approved = useSession(({ user }) => user?.approved ?? false);
  const settings = useQuery(settingsQuery);
  const withdraws = approved && settings.data?.withdrawals !== false;
  const refresh = async () => {
    const everything = [wallet, days, taxes, profile, reserves, disputes];
    const results = await Promise.all(everything.map((query) => query.refetch()));
    const failed = results.find(({ error }) => error !== null && !(error instanceof NotOffered));
    if (failed) toastError(errorText(failed.error, REFRESH_ERROR));
  };

  return {
    wallet,
    taxes,
    span,
    setSpan,
    days,
    profile,
    reserves,
    disputes,
    known,
    notice,
    withdraws,
    refresh,
  };
}

type WalletDetailsProps = {
  wallet: UseQueryResult<WalletModel>;
  period: Required<Pick<StatementSearch, 'from' | 'to'>>;
  reserves: UseQueryResult<ReservesModel>;
  taxes: UseQueryResult<TaxesModel>;
  withdraws: boolean;
};

function WalletDetails({ wallet, period, reserves, taxes, withdraws }: WalletDetailsProps) {
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
      <div className="grid grid-cols-1 content-start gap-8">
        <SummaryTable wallet={wallet.data} period={period} />
        {reserves.data !== undefined && reserves.data.releases.length > 0 && (
          <Releases reserves={reserves.data} />
        )}
      </div>
      <Meanings reserveDays={reserveDaysOf(taxes.data)} withdraws={withdraws} />
    </div>
  );
}

type WalletHeaderProps = {
  wallet: UseQueryResult<WalletModel>;
  onRefresh: () => Promise<void>;
  withdraws: boolean;
};

function WalletHeader({ wallet, onRefresh, withdraws }: WalletHeaderProps) {
  return (
    <PageHeader
      title="Minha Carteira"
      sentence="Quanto é seu, quanto está guardado e o que está a caminho."
      actions={
        <>
          <RefreshButton refreshing={wallet.isFetching && wallet.data !== undefined} onRefresh={onRefresh} />
          <Link to={paths.transactions} className={buttonClass(withdraws ? {} : { variant: 'primary' })}>
            Ver transações
          </Link>
          {withdraws && (
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
  empty: boolean;
  charted: boolean;
  unread: boolean;
  days: UseQueryResult<DayModel[]>;
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
};

function BalanceChart({ empty, charted, unread, days, span, onSpan }: BalanceChartProps) {
  if (empty)
    return (
      <EmptyState drawing="nothing-yet" title="Nenhum saldo ainda" className="py-8!">
        O saldo de cada dia aparece aqui depois do primeiro Pix.
      </EmptyState>
    );
  if (!charted) return null;
  if (unread)
    return (
      <LoadFailure
        of={days}
        title="Erro ao buscar o saldo por dia."
        meanwhile="Seus saldos não mudaram por isso."
        place="part"
      />
    );
  return (
    <Superseded when={days.isPlaceholderData}>
      <BalanceByDay days={days.data} span={span} onSpan={onSpan} />
    </Superseded>
  );
}
