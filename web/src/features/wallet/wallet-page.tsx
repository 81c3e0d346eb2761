import type { DaySpan, TaxesModel, WalletModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { NotOffered } from '../../api/api-error.ts';
import { errorText, requestIdOf } from '../../api/error-text.ts';
import { dailyQuery, profileQuery, taxesQuery, walletQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import {
  buttonClass,
  classNames,
  EmptyState,
  ErrorState,
  FigureCell,
  PageHeader,
  Panel,
  RefreshButton,
  Skeleton,
  SkeletonText,
  toastError,
} from '../../ui/index.ts';
import { BalanceByDay } from './balance-by-day.tsx';
import { Meanings } from './meanings.tsx';
import { splitOf } from './split.ts';
import { partColours, SplitBar } from './split-bar.tsx';
import { SummaryTable } from './summary-table.tsx';

const LOAD_ERROR = 'Erro ao buscar estatísticas da carteira.';
const REFRESH_ERROR = 'Erro ao atualizar estatísticas da carteira.';

/** How much is the merchant's, and how much is kept. */
export function WalletPage() {
  const wallet = useQuery(walletQuery);
  const taxes = useQuery(taxesQuery);
  const [span, setSpan] = useState<DaySpan>(30);
  const days = useQuery(dailyQuery(span));
  const profile = useQuery(profileQuery);
  const refresh = async () => {
    const results = await Promise.all([wallet, days, taxes, profile].map((query) => query.refetch()));
    const failed = results.find(({ error }) => error !== null && !(error instanceof NotOffered));
    if (failed) toastError(errorText(failed.error, REFRESH_ERROR));
  };
  const unread = days.data === undefined && days.isError;
  // A provider that does not know of days leaves no hole.
  const charted = !(unread && days.error instanceof NotOffered);
  const empty = wallet.data?.totalTransactions === 0 && splitOf(wallet.data).totalCents === 0;
  return (
    <>
      <PageHeader
        title="Minha Carteira"
        sentence="Quanto é seu e quanto está guardado."
        actions={
          <>
            <RefreshButton refreshing={wallet.isFetching && wallet.data !== undefined} onRefresh={refresh} />
            <Link to={paths.transactions} className={buttonClass({ variant: 'primary' })}>
              Ver transações
            </Link>
          </>
        }
      />
      {wallet.data === undefined && wallet.isError ? (
        <ErrorState
          title={LOAD_ERROR}
          message={errorText(
            wallet.error,
            'O servidor não respondeu. Seu dinheiro está a salvo; nada foi perdido.',
          )}
          requestId={requestIdOf(wallet.error)}
          retrying={wallet.isFetching}
          onRetry={refresh}
        />
      ) : (
        <>
          <Panel flush className="mb-6 divide-y divide-base-300" label="Saldos">
            <div
              className={classNames(
                'grid divide-base-300 max-lg:divide-y lg:divide-x',
                charted && 'lg:grid-cols-[minmax(0,4fr)_minmax(0,9fr)]',
              )}
            >
              <Available wallet={wallet.data} />
              {empty ? (
                <EmptyState drawing="nothing-yet" title="Nenhum saldo ainda" className="py-8!">
                  O saldo de cada dia aparece aqui depois do primeiro Pix.
                </EmptyState>
              ) : !charted ? null : unread ? (
                <ErrorState
                  title="Erro ao buscar o saldo por dia."
                  message={errorText(
                    days.error,
                    'O servidor não respondeu. Seus saldos não mudaram por isso.',
                  )}
                  requestId={requestIdOf(days.error)}
                  retrying={days.isFetching}
                  onRetry={() => days.refetch()}
                  className="py-8!"
                />
              ) : (
                <BalanceByDay days={wallet.data && days.data} span={span} onSpan={setSpan} />
              )}
            </div>
            <Cells wallet={wallet.data} taxes={taxes.data} />
          </Panel>
          <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
            <SummaryTable wallet={wallet.data} />
            <Meanings reserveDays={reserveDaysOf(taxes.data)} />
          </div>
        </>
      )}
    </>
  );
}

function reserveDaysOf(taxes: TaxesModel | undefined): number | null {
  return taxes?.reserve.enabled && taxes.reserve.days > 0 ? taxes.reserve.days : null;
}

function Available({ wallet }: { wallet: WalletModel | undefined }) {
  const split = wallet && splitOf(wallet);
  return (
    <div className="flex flex-col">
      <FigureCell
        size="large"
        dot={partColours.available}
        label="Saldo disponível"
        figure={
          wallet ? (
            <Balance cents={wallet.availableCents} />
          ) : (
            <SkeletonText line="h-10" className="h-8 w-52" />
          )
        }
      />
      <p className="-mt-3 px-4 text-muted md:-mt-4 md:px-5">
        {wallet?.availableCents === 0 ? 'Ainda não há saldo.' : 'Livre de reserva e de disputa.'}
      </p>
      <div className="mt-auto px-4 pt-6 pb-4 md:px-5 md:pb-5">
        {split === undefined ? (
          <>
            <Skeleton className="h-2 w-full" />
            <SkeletonText line="mt-2.5 h-4" className="h-3 w-40" />
          </>
        ) : (
          split.totalCents > 0 && <SplitBar {...split} />
        )}
      </div>
    </div>
  );
}

function Cells({ wallet, taxes }: { wallet: WalletModel | undefined; taxes: TaxesModel | undefined }) {
  const days = reserveDaysOf(taxes);
  return (
    <div
      className={classNames(
        'grid divide-base-300 *:border-base-300 max-md:divide-y md:grid-cols-2 lg:grid-cols-4 lg:divide-x',
        'md:max-lg:*:nth-[n+3]:border-t md:max-lg:*:odd:border-r',
      )}
    >
      <Cell
        label="Total recebido"
        wallet={wallet}
        figure={({ totalEarnedCents }) => <Balance cents={totalEarnedCents} />}
      >
        {({ totalRefundedCents }) =>
          totalRefundedCents ? (
            <>
              <Balance cents={totalRefundedCents} /> estornados
            </>
          ) : (
            'já sem as tarifas'
          )
        }
      </Cell>
      <Cell
        label="Bloqueado por disputas"
        dot={partColours.blocked}
        wallet={wallet}
        figure={({ blockedCents }) => <Balance cents={blockedCents} />}
      >
        {({ blockedCents }) => (blockedCents > 0 ? 'em análise' : 'nenhuma disputa')}
      </Cell>
      <Cell
        label="Valor reservado"
        dot={partColours.reserved}
        wallet={wallet}
        figure={({ reservedCents }) => <Balance cents={reservedCents} />}
      >
        {() => (days === null ? 'sem reserva nesta conta' : `libera em até ${daysInWords(days)}`)}
      </Cell>
      <Cell
        label="Total de transações"
        wallet={wallet}
        figure={({ totalTransactions }) => formatCount(totalTransactions)}
      >
        {({ lastTransactionAt }) =>
          lastTransactionAt ? `última em ${formatDateTime(lastTransactionAt)}` : 'nenhuma ainda'
        }
      </Cell>
    </div>
  );
}

type CellProps = {
  label: string;
  dot?: string;
  /** Undefined while loading. */
  wallet: WalletModel | undefined;
  figure: (wallet: WalletModel) => ReactNode;
  /** The line under the figure. */
  children: (wallet: WalletModel) => ReactNode;
};

function Cell({ label, dot, wallet, figure, children }: CellProps) {
  return (
    <FigureCell
      row
      label={label}
      {...(dot !== undefined && { dot })}
      figure={wallet ? figure(wallet) : <SkeletonText line="h-6 md:h-7" className="h-5 w-32" />}
      context={wallet ? children(wallet) : <SkeletonText line="h-4" className="h-3 w-24" />}
    />
  );
}

function daysInWords(days: number): string {
  return days === 1 ? '1 dia' : `${days} dias`;
}
