import type { SystemHealth } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { formatDate, formatRelative } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { LoadFailure, RefreshQueryButton } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import {
  type Column,
  classNames,
  type Fact,
  Facts,
  FigureCell,
  type GlyphName,
  PageHeader,
  Panel,
  SectionHeader,
  Skeleton,
  SkeletonText,
  Table,
} from '../../ui/index.ts';
import { systemHealthQuery } from './admin-queries.ts';
import { healthSentence, queueName, warningSentence } from './health-words.ts';

const FAILURE = 'Erro ao buscar a saúde do sistema.';
const POLL_MS = 10_000;
/** How often the relative times ("há 5 minutos") are updated. */
const TICK_MS = 10_000;

/**
 * The health of the system: the state of its parts and of the bank, warnings, queues, up to what time the bank's lists
 * of Pix were read, and what awaits a decision.
 */
export function HealthPage() {
  const health = useQuery({ ...systemHealthQuery, refetchInterval: POLL_MS });
  const now = new Date(useNow(true, TICK_MS));
  const { data } = health;
  return (
    <>
      <PageHeader
        title="Saúde do sistema"
        sentence={healthSentence(data)}
        actions={<RefreshQueryButton query={health} failure={FAILURE} />}
      />
      {data === undefined && health.isError ? (
        <LoadFailure place="list" query={health} title={FAILURE} />
      ) : (
        <>
          <Parts health={data} now={now} />
          <Warnings warnings={data?.warnings} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_21rem]">
            <section aria-labelledby="queues">
              <SectionHeader id="queues" title="Filas" />
              <Table
                label="Filas"
                columns={queueColumns(now)}
                rows={data?.queues}
                rowKey={({ name }) => name}
                narrowRowContent={(queue) => ({
                  start: queueName(queue.name),
                  startDetail: overdueText(queue, now),
                  end: formatCount(queue.waiting),
                })}
              />
            </section>
            <section aria-labelledby="watched">
              <SectionHeader id="watched" title="Conferência" />
              {data === undefined ? (
                <Facts
                  bordered={false}
                  facts={Object.values(factLabels).map((label) => ({
                    label,
                    value: <Skeleton className="h-2.5 w-20" />,
                  }))}
                />
              ) : (
                <Facts bordered={false} facts={factsOf(data, now)} />
              )}
            </section>
          </div>
        </>
      )}
    </>
  );
}

/** A part of the system with its state. */
type Part = { label: string; glyph: GlyphName; figure: string; context: string };

function Parts({ health, now }: { health: SystemHealth | undefined; now: Date }) {
  return (
    <Panel flush className="mb-5" label="Partes">
      <div
        className={classNames(
          'grid divide-base-300 *:border-base-300 max-md:divide-y md:grid-cols-2 lg:grid-cols-4 lg:divide-x',
          'md:max-lg:*:nth-[n+3]:border-t md:max-lg:*:odd:border-r',
        )}
      >
        {health === undefined
          ? Object.values(partNames).map((label) => (
              <FigureCell
                key={label}
                row
                label={label}
                figure={<SkeletonText line="h-6 md:h-7" className="h-5 w-28" />}
                context={<SkeletonText line="h-4" className="h-3 w-24" />}
              />
            ))
          : partsOf(health, now).map((part) => <FigureCell key={part.label} row {...part} />)}
      </div>
    </Panel>
  );
}

const partNames = {
  database: 'Banco de dados',
  work: 'Segundo plano',
  bank: 'Banco Pix',
  certificate: 'Certificado do banco',
};

function partsOf({ database, work, psp, version }: SystemHealth, now: Date): Part[] {
  return [
    { label: partNames.database, ...responseState(database), context: `Jangada ${version}` },
    {
      label: partNames.work,
      ...workState(work),
      context: 'só o processo que respondeu; atrasos dos demais aparecem em Filas',
    },
    { label: partNames.bank, ...bankState(psp.state), context: psp.name },
    { label: partNames.certificate, ...certificateState(psp.certificate_expires_at, now) },
  ];
}

type PartState = Pick<Part, 'glyph' | 'figure'>;

function responseState(state: SystemHealth['database']): PartState {
  return state === 'ok'
    ? { glyph: 'done', figure: 'Respondendo' }
    : { glyph: 'failed', figure: 'Sem resposta' };
}

/** The state of the background work, such as sending payouts and webhooks. */
function workState(state: SystemHealth['work']): PartState {
  return state === 'ok' ? { glyph: 'done', figure: 'Em dia' } : { glyph: 'failed', figure: 'Parado' };
}

function bankState(state: SystemHealth['psp']['state']): PartState {
  return state === 'unknown' ? { glyph: 'gone', figure: 'Não consultado' } : responseState(state);
}

const DAY_MS = 86_400_000;
/** The gateway's own warning about the certificate comes equally early. */
const EXPIRES_SOON_DAYS = 30;

/** The state of the certificate with which the gateway identifies itself to the bank. */
function certificateState(expiresAt: string | null, now: Date): PartState & Pick<Part, 'context'> {
  if (expiresAt === null) return { glyph: 'gone', figure: 'Nenhum', context: 'o banco não pede um' };
  const days = Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY_MS);
  const figure = formatDate(expiresAt);
  if (days < 0) return { glyph: 'failed', figure, context: 'venceu' };
  const glyph = days < EXPIRES_SOON_DAYS ? 'waiting' : 'done';
  return { glyph, figure, context: timeLeft(days) };
}

function timeLeft(days: number): string {
  if (days === 0) return 'vence em menos de 24 horas';
  return days === 1 ? 'falta 1 dia' : `faltam ${formatCount(days)} dias`;
}

/** The warnings, one in each line; nothing when there are none. */
function Warnings({ warnings }: { warnings: string[] | undefined }) {
  if (warnings === undefined || warnings.length === 0) return null;
  return (
    <ul aria-label="Avisos" className="mb-6 grid gap-2">
      {warnings.map((name) => (
        <li key={name} className="flex items-start gap-2 text-warning">
          <CircleAlert
            className="mt-0.5 size-4 shrink-0 text-warning-glyph"
            strokeWidth={1.75}
            aria-hidden="true"
          />
          {warningSentence(name)}
        </li>
      ))}
    </ul>
  );
}

type Queue = SystemHealth['queues'][number];

/** How long ago the oldest overdue entry of a queue became due. */
function overdueText({ oldest_due_at }: Queue, now: Date): string {
  if (oldest_due_at === null) return 'nada vencido';
  return `vencido ${formatRelative(oldest_due_at, now)}`;
}

function queueColumns(now: Date): readonly Column<Queue>[] {
  return [
    { key: 'name', head: 'Fila', cell: ({ name }) => queueName(name), skeleton: 'w-44' },
    {
      key: 'waiting',
      head: 'Esperando',
      cell: ({ waiting }) => formatCount(waiting),
      align: 'end',
      tone: 'strong',
      skeleton: 'w-8',
    },
    {
      key: 'oldest',
      head: 'Mais antigo vencido',
      cell: ({ oldest_due_at }) => (oldest_due_at === null ? '—' : formatRelative(oldest_due_at, now)),
      align: 'end',
      tone: 'muted',
      skeleton: 'w-20',
    },
  ];
}

const factLabels = {
  receivedRead: 'Pix recebidos, lidos no banco',
  sentRead: 'Pix enviados, lidos no banco até',
  payouts: 'Envios',
  openItems: 'Itens em aberto',
  pendingKyc: 'Verificações pendentes',
};

function factsOf(health: SystemHealth, now: Date): Fact[] {
  const { last_reconciliation, open_items, pending_kyc, read_replica } = health;
  const formatMoment = (moment: string | null) =>
    moment === null ? 'ainda não' : formatRelative(moment, now);
  return [
    { label: factLabels.receivedRead, value: formatMoment(last_reconciliation.received_at) },
    { label: factLabels.sentRead, value: formatMoment(last_reconciliation.sent_until) },
    {
      label: factLabels.payouts,
      value: <FactLink to={paths.adminWithdrawals}>{payoutsStateOf(health)}</FactLink>,
    },
    {
      label: factLabels.openItems,
      value: <FactLink to={paths.adminReconciliation}>{formatCount(open_items)}</FactLink>,
    },
    {
      label: factLabels.pendingKyc,
      value: <FactLink to={paths.adminKyc}>{formatCount(pending_kyc)}</FactLink>,
    },
    ...(read_replica === null ? [] : [{ label: 'Réplica de leitura', value: replicaSentence(read_replica) }]),
  ];
}

/**
 * The state of the read replica. Lists for staff and exports are read from the replica, or from the primary server when
 * the replica cannot be used.
 */
function replicaSentence({ state, lag_seconds }: NonNullable<SystemHealth['read_replica']>): string {
  if (state === 'unavailable') return 'sem resposta; lê-se do servidor principal';
  if (state === 'not-a-replica') return 'não é uma réplica; lê-se do servidor principal';
  const lag = lag_seconds === null ? '' : ` ${formatCount(Math.ceil(lag_seconds))} s`;
  return state === 'ok' ? `até${lag} atrás` : `atrasada${lag}; lê-se do servidor principal`;
}

/**
 * Whether payouts, the Pix that the gateway sends, are stopped, waiting or running. They wait while the bank does not
 * report the balance.
 */
function payoutsStateOf({ payouts_stopped_because, warnings }: SystemHealth): string {
  if (payouts_stopped_because !== null) return 'parados';
  return warnings.includes('bank-balance-unknown') ? 'esperando' : 'saindo';
}

type FactLinkProps = {
  to: (typeof paths)['adminWithdrawals' | 'adminReconciliation' | 'adminKyc'];
  children: ReactNode;
};

function FactLink({ to, children }: FactLinkProps) {
  return (
    <Link to={to} className="link">
      {children}
    </Link>
  );
}
