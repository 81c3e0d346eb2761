import type { SystemHealth } from '@jangada/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import type { ScreenTarget } from '../../app/screen-searches.ts';
import { formatCount } from '../../format/money.ts';
import { firstName } from '../../format/person-name.ts';
import { Link } from '../../navigation/index.ts';
import { approvalsQuery, waitsForMaker } from '../../panel/approvals/approvals-queries.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { payoutsQuery } from '../../panel/operation/payouts-query.ts';
import { usersFilterFrom } from '../../panel/users/users-filter.ts';
import { usersQuery } from '../../panel/users/users-query.ts';
import { useSession } from '../../session/session.ts';
import {
  Glyph,
  type GlyphName,
  PageHeader,
  Panel,
  RefreshButton,
  Skeleton,
  toastError,
} from '../../ui/index.ts';
import { adminWithdrawalsQuery, suspenseQuery, systemHealthQuery } from './admin-queries.ts';
import { healthSentence, isSystemDown, warningSentence } from './health-words.ts';
import { adminWithdrawalsFilterFrom } from './list-filters.ts';

const FAILURE = 'Erro ao buscar o que espera por você.';
const POLL_MS = 10_000;

/**
 * The administrator's start page: whether payouts, the Pix that the gateway sends, are running, and what awaits a
 * decision.
 */
export function AdminStartPage() {
  const name = useSession(({ user }) => user?.name ?? '');
  const health = useQuery({ ...systemHealthQuery, refetchInterval: POLL_MS });
  const payouts = useQuery({ ...payoutsQuery, refetchInterval: POLL_MS });
  const heldWithdrawals = useInfiniteQuery(adminWithdrawalsQuery('held'));
  const suspense = useQuery(suspenseQuery(1));
  const closingAccounts = useQuery(usersQuery({ closing: true }));
  const approvals = useQuery({ ...approvalsQuery('operator'), refetchInterval: POLL_MS });
  const queries = [health, payouts, heldWithdrawals, suspense, closingAccounts];
  const failedQuery = queries.find(({ data, isError }) => isError && data === undefined);
  const refresh = async () => {
    const results = await Promise.all(queries.map((query) => query.refetch()));
    const error = results.find((result) => result.error !== null)?.error;
    if (error != null) toastError(errorText(error, FAILURE));
  };
  const rows =
    health.data &&
    payouts.data &&
    heldWithdrawals.data &&
    suspense.data &&
    closingAccounts.data &&
    (approvals.data || approvals.isError)
      ? waitingRows(health.data, {
          isBankInDoubt: payouts.data.bank_in_doubt,
          inDoubtCount: payouts.data.in_doubt,
          heldCount: heldWithdrawals.data.pages[0]?.withdrawals.length ?? 0,
          hasMoreHeld: heldWithdrawals.hasNextPage,
          unmatchedPixCount: suspense.data.total,
          closingCount: closingAccounts.data.total,
          approvals: approvals.data && {
            waiting: approvals.data.waiting_for_you,
            ready: approvals.data.open.filter(waitsForMaker).length,
          },
        })
      : undefined;
  return (
    <>
      <PageHeader
        title={`Olá, ${firstName(name)}`}
        sentence={sentenceOf(rows)}
        actions={
          <RefreshButton
            isRefreshing={rows !== undefined && queries.some(({ isRefetching }) => isRefetching)}
            onRefresh={refresh}
          />
        }
      />
      {failedQuery !== undefined ? (
        <LoadFailure place="list" query={failedQuery} title={FAILURE} />
      ) : (
        <Panel flush as="div">
          <ul aria-label="Operação" aria-busy={rows === undefined} className="divide-y divide-base-300">
            {rows === undefined
              ? // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have nothing but their position
                Array.from({ length: ROW_COUNT }, (_, index) => <SkeletonRow key={index} />)
              : rows.map((row) => <WaitingRow key={row.label} {...row} />)}
          </ul>
        </Panel>
      )}
    </>
  );
}

type WaitingCounts = {
  /** True while the balance at the bank is unknown. No payout is sent until the bank reports the balance. */
  isBankInDoubt: boolean;
  /** How many withdrawals were sent to the bank and have an unknown outcome. */
  inDoubtCount: number;
  /** How many held withdrawals are on the first page of their list. If `hasMoreHeld` is true, there are more pages. */
  heldCount: number;
  hasMoreHeld: boolean;
  /** How many received Pix match no charge. */
  unmatchedPixCount: number;
  /** How many accounts have an open request by their owner to close the account. */
  closingCount: number;
  /**
   * How many requests wait for this administrator's approval, and how many of their own were approved and wait to be
   * carried out; undefined if that could not be read.
   */
  approvals: { waiting: number; ready: number } | undefined;
};

/** A row of the list. The glyph is `done` when nothing in the row waits for the administrator. */
type Row = {
  label: string;
  hint: string;
  /** How many cases wait, or a word for the state. */
  figure: string;
  glyph: GlyphName;
  link: ScreenTarget;
};

/** The rows of the list. Each names a task of an administrator, says how many cases wait, and links to their page. */
function waitingRows(health: SystemHealth, counts: WaitingCounts): Row[] {
  const { isBankInDoubt, inDoubtCount, heldCount, hasMoreHeld, unmatchedPixCount, closingCount } = counts;
  const { approvals } = counts;
  const countFigure = (count: number): Pick<Row, 'figure' | 'glyph'> => ({
    figure: formatCount(count),
    glyph: count > 0 ? 'waiting' : 'done',
  });
  return [
    {
      label: 'Envios ao banco',
      ...payoutsFigure(health, isBankInDoubt),
      link: { to: paths.adminWithdrawals },
    },
    ...(approvals === undefined
      ? []
      : [
          {
            label: 'Aprovações',
            hint:
              approvals.ready > 0
                ? 'Há pedidos seus já aprovados: conclua-os.'
                : 'Pedidos de outros administradores que esperam a sua.',
            ...countFigure(approvals.waiting + approvals.ready),
            link: { to: paths.adminApprovals } as const,
          },
        ]),
    {
      label: 'Documentos para analisar',
      hint: 'Quem os enviou ainda não cobra nem saca.',
      ...countFigure(health.pending_kyc),
      link: { to: paths.adminKyc },
    },
    {
      label: 'Contas em bancos',
      hint: 'Esperam os endereços do banco, ou nada funciona nelas.',
      ...countFigure(health.own_accounts_waiting),
      link: { to: paths.adminConnections },
    },
    {
      label: 'Itens em aberto',
      hint: 'O que o gateway não decide sozinho.',
      ...countFigure(health.open_items),
      link: { to: paths.adminReconciliation },
    },
    {
      label: 'Saques em dúvida',
      hint: 'O banco não disse o que fez deles.',
      ...countFigure(inDoubtCount),
      link: { to: paths.adminWithdrawals, search: adminWithdrawalsFilterFrom({ view: 'in-doubt' }) },
    },
    {
      label: 'Saques segurados',
      hint: 'Não saem até alguém liberar ou encerrar.',
      ...countFigure(heldCount),
      ...(hasMoreHeld && { figure: `mais de ${formatCount(heldCount)}` }),
      link: { to: paths.adminWithdrawals, search: adminWithdrawalsFilterFrom({ view: 'held' }) },
    },
    {
      label: 'Pix sem dono',
      hint: 'Nenhuma cobrança os esperava.',
      ...countFigure(unmatchedPixCount),
      link: { to: paths.adminSuspense },
    },
    {
      label: 'Pedidos de encerramento',
      hint: 'Contas que seus donos querem fechar.',
      ...countFigure(closingCount),
      link: { to: paths.adminUsers, search: usersFilterFrom({ closing: true }) },
    },
    {
      label: 'Saúde do sistema',
      ...healthFigure(health),
      link: { to: paths.adminHealth },
    },
  ];
}

function payoutsFigure(
  { payouts_stopped_because: stopReason }: SystemHealth,
  isBankInDoubt: boolean,
): Pick<Row, 'hint' | 'figure' | 'glyph'> {
  if (stopReason !== null) return { hint: stopReason, figure: 'parados', glyph: 'failed' };
  if (isBankInDoubt)
    return { hint: warningSentence('bank-balance-unknown'), figure: 'esperando', glyph: 'waiting' };
  return { hint: 'Os saques saem assim que são pedidos.', figure: 'saindo', glyph: 'done' };
}

/** The warnings that other rows already show. The row for the system's health leaves them out. */
const warningsOfOtherRows = new Set(['payouts-stopped', 'open-items', 'bank-balance-unknown']);

function healthFigure(health: SystemHealth): Pick<Row, 'hint' | 'figure' | 'glyph'> {
  const warnings = health.warnings.filter((name) => !warningsOfOtherRows.has(name));
  const hint = healthSentence({ ...health, warnings });
  if (isSystemDown(health)) return { hint, figure: 'com falha', glyph: 'failed' };
  if (warnings.length === 0) return { hint, figure: 'bem', glyph: 'done' };
  return { hint, figure: warnings.length === 1 ? '1 aviso' : `${warnings.length} avisos`, glyph: 'waiting' };
}

function sentenceOf(rows: readonly Row[] | undefined): string {
  if (rows === undefined) return 'O que espera por você.';
  const count = rows.filter(({ glyph }) => glyph !== 'done').length;
  if (count === 0) return 'Nada espera por você.';
  return count === 1 ? 'Um assunto espera por você.' : `${count} assuntos esperam por você.`;
}

/** The number of rows that `waitingRows` returns. The placeholder of the list has as many. */
const ROW_COUNT = 10;

function SkeletonRow() {
  return (
    <li className="flex items-center gap-4 px-4 py-3.5 md:px-5">
      <Skeleton className="size-3.5 shrink-0" />
      <span className="min-w-0 grow">
        <Skeleton className="my-1.5 h-2.5 w-40" />
        <Skeleton className="my-1 h-2 w-56 max-w-full" />
      </span>
      <Skeleton className="h-2.5 w-12 shrink-0" />
    </li>
  );
}

function WaitingRow({ label, hint, figure, glyph, link }: Row) {
  return (
    <li>
      <Link
        {...link}
        className="flex items-center gap-4 px-4 py-3.5 transition-colors duration-120 -outline-offset-2 hover:bg-hover md:px-5"
      >
        <Glyph name={glyph} />
        <span className="min-w-0 grow">
          <span className="block font-medium">{label}</span>
          <span className="block wrap-anywhere text-xs text-muted">{hint}</span>
        </span>
        <span className="shrink-0 font-strong tabular-nums">{figure}</span>
        <ChevronRight className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
      </Link>
    </li>
  );
}
