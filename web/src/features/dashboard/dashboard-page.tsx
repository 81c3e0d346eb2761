import { type ChargesByStatus as Charges, type DayModel, type DaySpan, PAGE_SIZE } from '@jangada/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { NotOffered } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import {
  apiKeyQuery,
  chargeStatsQuery,
  dailyQuery,
  feedQuery,
  profileQuery,
  settingsQuery,
  walletQuery,
} from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatDayInWords } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { firstName } from '../../format/person-name.ts';
import { openDisputesQuery, useDisputeNotice } from '../../panel/dispute-notice.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { checkPin, usePin } from '../../session/pin-status.ts';
import { useSession } from '../../session/session.ts';
import {
  buttonClass,
  EmptyState,
  PageHeader,
  Panel,
  RefreshButton,
  SkeletonText,
  Superseded,
  toastError,
} from '../../ui/index.ts';
import { ChargesByStatus } from './charges-by-status.tsx';
import { type Figures, figuresOf, paymentsInWords } from './figures.ts';
import { FiguresRow } from './figures-row.tsx';
import { FirstSteps, type SetupProgress, stepsLeftInWords } from './first-steps.tsx';
import { PinNotice } from './pin-notice.tsx';
import { ReceivedByDay } from './received-by-day.tsx';
import { RecentTransactions } from './recent-transactions.tsx';

const LOAD_ERROR = 'Erro ao buscar estatísticas da carteira.';
const REFRESH_ERROR = 'Erro ao atualizar estatísticas da carteira.';
const FEED_ERROR = 'Erro ao buscar transações';
const MEANWHILE = 'Seus dados estão a salvo; nada foi perdido.';

/** The overview. `apiKeyCard` comes from the feature that owns the key. */
export function DashboardPage({ apiKeyCard }: { apiKeyCard: ReactNode }) {
  const overview = useOverview();

  return (
    <>
      <Greeting
        name={overview.user?.name ?? ''}
        empty={overview.empty}
        progress={overview.progress}
        today={overview.today}
        days={overview.days}
        refreshing={overview.refreshing}
        onRefresh={overview.refresh}
        approved={overview.approved}
      />
      <JoinedNotices>
        {overview.disputeNotice.notice}
        {overview.noticesPin && <PinNotice status={overview.pin.status} />}
      </JoinedNotices>
      {/* Content below the notice is hidden until it is known whether the notice shows, so that nothing shifts. */}
      <div className={overview.noticesKnown ? undefined : 'invisible'}>
        <Panel flush className="mb-5 divide-y divide-base-300" label="Resumo">
          {overview.unloaded ? (
            <LoadFailure
              of={{ ...overview.unloaded, refetch: overview.refresh }}
              title={overview.unloaded === overview.wallet ? LOAD_ERROR : FEED_ERROR}
              meanwhile={MEANWHILE}
            />
          ) : (
            <>
              <FiguresRow figures={overview.figures} />
              <Charts
                empty={overview.empty}
                approved={overview.approved}
                days={overview.days}
                figures={overview.figures}
                span={overview.span}
                onSpan={overview.setSpan}
                charges={overview.charges}
              />
            </>
          )}
        </Panel>
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          {overview.empty ? (
            <FirstSteps
              {...overview.progress}
              canWithdraw={overview.canWithdraw}
              docType={overview.user?.docType ?? 'CPF'}
            />
          ) : (
            overview.listed && (
              <div className="max-lg:order-last">
                <RecentTransactions transactions={overview.recent.data?.transactions} />
              </div>
            )
          )}
          <div className={overview.empty || overview.listed ? undefined : 'lg:col-span-2'}>{apiKeyCard}</div>
        </div>
      </div>
    </>
  );
}

/** The data of the overview, and what is derived from it. */
function useOverview() {
  const user = useSession(({ user }) => user);
  const [span, setSpan] = useState<DaySpan>(30);
  const wallet = useQuery(walletQuery);
  const recent = useQuery(feedQuery({ limit: PAGE_SIZE.recentTransactions }));
  const days = useQuery(dailyQuery(span));
  const charges = useQuery(chargeStatsQuery(span));
  const profile = useQuery(profileQuery);
  const apiKey = useQuery(apiKeyQuery);
  const disputes = useQuery(openDisputesQuery);
  const disputeNotice = useDisputeNotice();
  const pin = usePin();
  const canWithdraw = useQuery(settingsQuery).data?.withdrawals ?? true;

  const everything = [wallet, recent, days, charges, profile, apiKey, disputes];
  const refresh = async () => {
    const [results] = await Promise.all([
      Promise.all(everything.map((query) => query.refetch())),
      checkPin(),
    ]);
    const failed = results.find(({ error }) => error !== null && !(error instanceof NotOffered));
    if (failed) toastError(errorText(failed.error, REFRESH_ERROR));
  };
  const refreshing = wallet.isFetching && wallet.data !== undefined;
  const approved = user?.approved ?? false;
  // The PIN is asked for only after the identity is verified.
  const noticesPin = approved && canWithdraw;
  const pinKnown = useKnownOnce(!noticesPin || (pin.status !== 'idle' && pin.status !== 'loading'));
  const noticesKnown = pinKnown && disputeNotice.known;
  const figures =
    noticesKnown && wallet.data && recent.data ? figuresOf(wallet.data, recent.data.counts) : undefined;
  const empty = figures?.all === 0;
  const progress = {
    createdAt: profile.data?.createdAt ?? null,
    approved,
    hasKey: apiKey.data?.hasKey ?? false,
    hasPin: pin.status === 'set',
  };
  const today = days.data?.at(-1);
  const unloaded = [wallet, recent].find(({ data, isError }) => isError && data === undefined);
  // The failure is reported above; a list that loaded is shown without the figures too.
  const listed = unloaded === undefined || (recent.data?.transactions.length ?? 0) > 0;

  return {
    user,
    span,
    setSpan,
    wallet,
    recent,
    days,
    charges,
    disputeNotice,
    pin,
    canWithdraw,
    refresh,
    refreshing,
    approved,
    noticesPin,
    noticesKnown,
    figures,
    empty,
    progress,
    today,
    unloaded,
    listed,
  };
}

type GreetingProps = {
  name: string;
  empty: boolean;
  progress: SetupProgress;
  today: DayModel | undefined;
  days: UseQueryResult<DayModel[]>;
  refreshing: boolean;
  onRefresh: () => Promise<void>;
  approved: boolean;
};

function Greeting({ name, empty, progress, today, days, refreshing, onRefresh, approved }: GreetingProps) {
  return (
    <PageHeader
      title={`Olá, ${firstName(name)}`}
      sentence={
        empty ? (
          stepsLeftInWords(progress)
        ) : today ? (
          <TodaySentence today={today} now={new Date()} />
        ) : days.isPending ? (
          <SkeletonText line="h-10 md:h-5" className="h-3 w-80 max-w-full" />
        ) : (
          `Hoje, ${formatDayInWords(new Date())}.`
        )
      }
      actions={
        <>
          <RefreshButton refreshing={refreshing} onRefresh={onRefresh} />
          {approved && (
            <Link to={paths.pixPayment} className={buttonClass({ variant: 'primary' })}>
              <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
              Criar Pagamento
            </Link>
          )}
        </>
      }
    />
  );
}

type ChartsProps = {
  empty: boolean;
  approved: boolean;
  days: UseQueryResult<DayModel[]>;
  figures: Figures | undefined;
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
  charges: UseQueryResult<Charges>;
};

/** The amounts received by day, and the charges by status. */
function Charts({ empty, approved, days, figures, span, onSpan, charges }: ChartsProps) {
  return (
    <>
      {empty ? (
        <EmptyState drawing="nothing-yet" title="Nenhum pagamento ainda" className="py-8!">
          {approved
            ? 'O que você receber aparece aqui, dia a dia.'
            : 'Quando sua conta for aprovada, o que você receber aparece aqui, dia a dia.'}
        </EmptyState>
      ) : days.data === undefined && days.isError ? (
        !(days.error instanceof NotOffered) && (
          <LoadFailure
            of={days}
            title="Erro ao buscar o recebido por dia."
            meanwhile={MEANWHILE}
            place="part"
          />
        )
      ) : (
        <Superseded when={days.isPlaceholderData}>
          <ReceivedByDay days={figures && days.data} span={span} onSpan={onSpan} />
        </Superseded>
      )}
      {!empty &&
        (charges.data === undefined && charges.isError ? (
          !(charges.error instanceof NotOffered) && (
            <LoadFailure
              of={charges}
              title="Erro ao buscar as cobranças por situação."
              meanwhile={MEANWHILE}
              place="part"
            />
          )
        ) : (
          <ChargesByStatus charges={figures && charges.data} span={span} />
        ))}
    </>
  );
}

/** Joins two notices in one frame with a line between them, the urgent one first. */
function JoinedNotices({ children }: { children: ReactNode }) {
  return (
    <div className="has-[>.alert]:mb-5 *:[.alert]:mb-0 [&>.alert:has(+.alert)]:rounded-b-none [&>.alert+.alert]:rounded-t-none [&>.alert+.alert]:border-t-0">
      {children}
    </div>
  );
}

/** True from the first time it is known, also while it is refetched. */
function useKnownOnce(known: boolean): boolean {
  const [once, setOnce] = useState(known);
  if (known && !once) setOnce(true);
  return once;
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
