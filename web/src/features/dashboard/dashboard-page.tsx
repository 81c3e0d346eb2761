import { type DayModel, type DaySpan, PAGE_SIZE } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { lastVisitShownBy, withLastVisit } from '../../api/last-visit.ts';
import {
  apiKeyQuery,
  chargeStatsQuery,
  dailyQuery,
  feedQuery,
  profileQuery,
  settingsQuery,
  walletQuery,
} from '../../api/queries.ts';
import { formatDayInWords } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { firstName } from '../../format/person-name.ts';
import { BalancePartLinks, useBalanceParts } from '../../panel/balance.tsx';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { openDisputesQuery, useDisputeNotice } from '../../panel/dispute-notice.tsx';
import { LastVisitSentence } from '../../panel/last-visit-sentence.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { checkPin, type PinState, pinOfLastVisit, usePin } from '../../session/pin-status.ts';
import { useSession } from '../../session/session.ts';
import {
  EmptyState,
  OutdatedResults,
  PageHeader,
  Panel,
  RefreshButton,
  SkeletonText,
  toastError,
} from '../../ui/index.ts';
import { BankNotice } from './bank-notice.tsx';
import { ChargesByStatus } from './charges-by-status.tsx';
import { figuresOf, paymentsInWords } from './figures.ts';
import { FiguresRow } from './figures-row.tsx';
import { FirstSteps, stepsLeftInWords } from './first-steps.tsx';
import { NewChargeLink } from './new-charge-link.tsx';
import { PinNotice } from './pin-notice.tsx';
import { ReceivedByDay } from './received-by-day.tsx';
import { RecentTransactions } from './recent-transactions.tsx';

const LOAD_ERROR = 'Erro ao buscar estatísticas da carteira.';
const REFRESH_ERROR = 'Erro ao atualizar estatísticas da carteira.';
const FEED_ERROR = 'Erro ao buscar transações';
const FAILURE_REASSURANCE = 'Seus dados estão a salvo; nada foi perdido.';

/** The merchant's start page. The caller passes `apiKeyCard`, because it belongs to another feature, `api-keys`. */
export function DashboardPage({ apiKeyCard }: { apiKeyCard: ReactNode }) {
  const overview = useOverview();
  const balanceParts = useBalanceParts();

  return (
    <>
      <Greeting overview={overview} />
      <JoinedNotices>
        {overview.disputeNotice.notice}
        {overview.managesAccount && overview.isApproved && overview.bank.must_connect && <BankNotice />}
        {overview.mayNeedPin && <PinNotice status={overview.pin.status} />}
      </JoinedNotices>
      {/* Invisible until it is known whether a notice appears above, so that no notice pushes the content down. */}
      <div className={overview.areNoticesKnown ? undefined : 'invisible'}>
        <Panel flush className="mb-5 divide-y divide-base-300" label="Resumo">
          {overview.failedQuery ? (
            <LoadFailure
              query={{ ...overview.failedQuery, refetch: overview.refresh }}
              title={overview.failedQuery === overview.wallet ? LOAD_ERROR : FEED_ERROR}
              reassurance={FAILURE_REASSURANCE}
            />
          ) : (
            <OutdatedResults when={overview.outdatedSince !== undefined}>
              <FiguresRow figures={overview.figures} />
              {balanceParts && (
                <p className="px-4 py-3 tabular-nums md:px-5">
                  <span className="text-muted">Seu saldo:</span> <BalancePartLinks parts={balanceParts} />
                </p>
              )}
              <Charts overview={overview} />
            </OutdatedResults>
          )}
        </Panel>
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          {overview.showsFirstSteps ? (
            <FirstSteps
              {...overview.progress}
              canWithdraw={overview.canWithdraw}
              docType={overview.user?.docType ?? 'CPF'}
            />
          ) : (
            overview.showsTransactions && (
              <div className="max-lg:order-last">
                <RecentTransactions transactions={overview.recentFeed.data?.transactions} />
              </div>
            )
          )}
          <div
            className={overview.showsFirstSteps || overview.showsTransactions ? undefined : 'lg:col-span-2'}
          >
            {apiKeyCard}
          </div>
        </div>
      </div>
    </>
  );
}

type Overview = ReturnType<typeof useOverview>;

/** The data of the dashboard, and the values that follow from the data. */
function useOverview() {
  const user = useSession((state) => state.user);
  const [span, setSpan] = useState<DaySpan>(30);
  const wallet = useQuery(withLastVisit(walletQuery));
  const recentFeed = useQuery(withLastVisit(feedQuery({ limit: PAGE_SIZE.recentTransactions })));
  const days = useQuery(withLastVisit(dailyQuery(span)));
  const charges = useQuery(withLastVisit(chargeStatsQuery(span)));
  const profile = useQuery(profileQuery);
  const managesAccount = useMay('manage-account');
  const keepsKeys = useMay('manage-main-key');
  const apiKey = useQuery({ ...apiKeyQuery, enabled: keepsKeys });
  const disputes = useQuery(openDisputesQuery);
  const disputeNotice = useDisputeNotice();
  const currentPin = usePin();
  const pin = (isAwaited(currentPin) ? pinOfLastVisit() : undefined) ?? currentPin;
  const bank = useMerchantBank();
  const areWithdrawalsOffered = useQuery(settingsQuery).data?.withdrawals ?? true;
  const canWithdraw = areWithdrawalsOffered && !bank.is_without_payouts;

  const queries = [wallet, recentFeed, days, charges, profile, ...(keepsKeys ? [apiKey] : []), disputes];
  const refresh = async () => {
    const [results] = await Promise.all([Promise.all(queries.map((query) => query.refetch())), checkPin()]);
    const failedResult = results.find(
      ({ error }) => error !== null && !(error instanceof UnsupportedCallError),
    );
    if (failedResult) toastError(errorText(failedResult.error, REFRESH_ERROR));
  };
  const isRefreshing = wallet.isFetching && wallet.data !== undefined;
  const isApproved = useSession(isAccountApproved);
  // The merchant is asked to set a withdrawal PIN only once the account is approved, because it cannot withdraw before.
  const mayNeedPin = isApproved && canWithdraw && managesAccount;
  const isPinNoticeKnown = useTrueOnce(!mayNeedPin || !isAwaited(pin));
  const isBankNoticeKnown = useTrueOnce(bank.isKnown);
  const areNoticesKnown = isPinNoticeKnown && isBankNoticeKnown && disputeNotice.isKnown;
  const figures =
    areNoticesKnown && wallet.data && recentFeed.data
      ? figuresOf(wallet.data, recentFeed.data.counts)
      : undefined;
  const hasNoCharges = figures?.total === 0;
  // The steps are an owner's.
  const showsFirstSteps = hasNoCharges && managesAccount;
  const progress = {
    createdAt: profile.data?.createdAt ?? null,
    isApproved,
    hasKey: apiKey.data?.hasKey ?? false,
    hasPin: pin.status === 'set',
    mustConnectBank: bank.must_connect,
  };
  const outdatedSince = lastVisitShownBy(wallet, recentFeed, days, charges);
  const today = days.data?.at(-1);
  const failedQuery = [wallet, recentFeed].find(({ data, isError }) => isError && data === undefined);
  // When a query failed, the panel above reports the failure, and the list of transactions is left out unless the list
  // itself has loaded.
  const showsTransactions = failedQuery === undefined || (recentFeed.data?.transactions.length ?? 0) > 0;

  return {
    user,
    bank,
    span,
    setSpan,
    wallet,
    recentFeed,
    days,
    charges,
    disputeNotice,
    pin,
    canWithdraw,
    refresh,
    isRefreshing,
    isApproved,
    managesAccount,
    mayNeedPin,
    areNoticesKnown,
    figures,
    hasNoCharges,
    showsFirstSteps,
    progress,
    today,
    outdatedSince,
    failedQuery,
    showsTransactions,
  };
}

function isAwaited({ status }: PinState): boolean {
  return status === 'idle' || status === 'loading';
}

function Greeting({ overview }: { overview: Overview }) {
  return (
    <PageHeader
      title={`Olá, ${firstName(overview.user?.name ?? '')}`}
      sentence={
        <LastVisitSentence since={overview.outdatedSince}>{greetingSentence(overview)}</LastVisitSentence>
      }
      actions={
        <>
          <RefreshButton isRefreshing={overview.isRefreshing} onRefresh={overview.refresh} />
          <NewChargeLink />
        </>
      }
    />
  );
}

/** What an account without charges must do first; otherwise what was received today, if that is known. */
function greetingSentence({ showsFirstSteps, progress, today, days }: Overview): ReactNode {
  if (showsFirstSteps) return stepsLeftInWords(progress);
  if (today) return <TodaySentence today={today} now={new Date()} />;
  if (days.isPending) return <SkeletonText line="h-10 md:h-5" className="h-3 w-80 max-w-full" />;
  return `Hoje, ${formatDayInWords(new Date())}.`;
}

/** The amounts received by day, and the charges by status. */
function Charts({ overview }: { overview: Overview }) {
  if (overview.hasNoCharges)
    return (
      <EmptyState drawing="nothing-yet" title="Nenhum pagamento ainda" className="py-8!">
        {overview.isApproved
          ? 'O que você receber aparece aqui, dia a dia.'
          : 'Quando sua conta for aprovada, o que você receber aparece aqui, dia a dia.'}
      </EmptyState>
    );
  return (
    <>
      <DaysChart overview={overview} />
      <StatusChart overview={overview} />
    </>
  );
}

/** The amounts received by day. Nothing is shown if the provider, the gateway behind the dashboard, lacks them. */
function DaysChart({ overview: { days, figures, span, setSpan, outdatedSince } }: { overview: Overview }) {
  if (days.data === undefined && days.isError) {
    if (days.error instanceof UnsupportedCallError) return null;
    return (
      <LoadFailure
        query={days}
        title="Erro ao buscar o recebido por dia."
        reassurance={FAILURE_REASSURANCE}
        place="part"
      />
    );
  }
  return (
    <OutdatedResults when={days.isPlaceholderData && outdatedSince === undefined}>
      <ReceivedByDay days={figures && days.data} span={span} onSpan={setSpan} />
    </OutdatedResults>
  );
}

/** The charges by status. Nothing is shown if the provider, the gateway behind the dashboard, does not count them. */
function StatusChart({ overview: { charges, figures, span } }: { overview: Overview }) {
  if (charges.data === undefined && charges.isError) {
    if (charges.error instanceof UnsupportedCallError) return null;
    return (
      <LoadFailure
        query={charges}
        title="Erro ao buscar as cobranças por situação."
        reassurance={FAILURE_REASSURANCE}
        place="part"
      />
    );
  }
  return <ChargesByStatus charges={figures && charges.data} span={span} />;
}

/** Joins the notices inside into one box, with a line between them. */
function JoinedNotices({ children }: { children: ReactNode }) {
  return (
    <div className="has-[>.alert]:mb-5 *:[.alert]:mb-0 [&>.alert:has(+.alert)]:rounded-b-none [&>.alert+.alert]:rounded-t-none [&>.alert+.alert]:border-t-0">
      {children}
    </div>
  );
}

/**
 * Becomes true in the first render in which `value` is true, and stays true, so that the page does not hide its content
 * again while data is fetched again.
 */
function useTrueOnce(value: boolean): boolean {
  const [hasBeenTrue, setHasBeenTrue] = useState(value);
  // Because the state is set during the render, React renders again before it shows anything, and no outdated false is
  // shown.
  if (value && !hasBeenTrue) setHasBeenTrue(true);
  return hasBeenTrue;
}

/** `Hoje, sábado, 21 de novembro, entraram R$ 1.672,10 em 14 pagamentos.` */
function TodaySentence({ today, now }: { today: DayModel; now: Date }) {
  const date = `Hoje, ${formatDayInWords(now)},`;
  if (today.count === 0) return `${date} ainda não entrou nenhum pagamento.`;
  return (
    <>
      {date} entraram{' '}
      <strong className="font-strong text-base-content">{formatMoney(today.receivedCents)}</strong> em{' '}
      {paymentsInWords(today.count)}.
    </>
  );
}
