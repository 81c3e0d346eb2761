import type { DisputeDetailModel, DisputeModel } from '@jangada/contract';
import { paths } from '../../app/paths.ts';
import { formatDateAtTime, formatDateTime, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { Link } from '../../navigation/index.ts';
import { type DisputePhase, phaseBadges, phaseOf } from '../../panel/dispute/dispute-parts.tsx';
import { useMay } from '../../session/account.ts';
import {
  Code,
  CopyButton,
  type Fact,
  Facts,
  LoadingRegion,
  Notice,
  Panel,
  SectionHeader,
  Skeleton,
  SkeletonText,
  StatusBadge,
} from '../../ui/index.ts';
import { DefenceForm } from './defence-form.tsx';
import { SentDefence } from './sent-defence.tsx';

/**
 * One dispute, that is, a payer's claim through the banks' special return mechanism (MED): what happened, the amount
 * that is blocked in the merchant's balance, and the merchant's defence.
 */
export function DisputeView({ dispute, now }: { dispute: DisputeDetailModel; now: number }) {
  const phase = phaseOf(dispute, now);
  const mayDefend = useMay('defend-disputes');
  const { glyph, label } = phaseBadges[phase];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
        <section aria-label="O que aconteceu">
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
            <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
              {formatMoney(dispute.amountCents)}
            </p>
            <StatusBadge status={glyph}>{label}</StatusBadge>
          </div>
          <p className="mt-3">{explanationOf(dispute, phase, now)}</p>
          {dispute.shortfallCents > 0 && (
            <Notice tone="warning" className="mt-4" title={`Faltam ${formatMoney(dispute.shortfallCents)}.`}>
              Seu saldo não cobria todo o valor contestado. O que entrar na conta cobre primeiro essa falta;
              até lá, saques e estornos ficam suspensos.
            </Notice>
          )}
        </section>
        {dispute.reason !== '' && (
          <section aria-labelledby="reason">
            <SectionHeader id="reason" title="O que o banco informou" />
            <p className="text-muted wrap-anywhere">{capitalise(dispute.reason)}</p>
          </section>
        )}
        {dispute.defendedAt !== null ? (
          <SentDefence dispute={dispute} />
        ) : (
          phase === 'defence' && mayDefend && <DefenceForm dispute={dispute} />
        )}
      </div>
      <Panel well as="aside" label="Resumo">
        <h2 className="font-strong">Resumo</h2>
        <Facts bordered={false} className="mt-2" facts={factsOf(dispute, now)} />
      </Panel>
    </div>
  );
}

/** The reason with its first letter in upper case, because banks send it in lower case: `golpe`. */
function capitalise(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

function factsOf(dispute: DisputeDetailModel, now: number): Fact[] {
  const { blockedCents, shortfallCents, returnedCents, paymentId, deadline } = dispute;
  const timeLeft =
    dispute.status === 'open' && dispute.defendedAt === null ? formatTimeLeft(deadline, now) : null;
  return [
    { label: 'Contestado', value: formatMoney(dispute.amountCents) },
    { label: 'Bloqueado', value: formatMoney(blockedCents), strong: blockedCents > 0 },
    ...(shortfallCents > 0 ? [{ label: 'Descoberto', value: formatMoney(shortfallCents) }] : []),
    ...(returnedCents > 0 ? [{ label: 'Devolvido a quem pagou', value: formatMoney(returnedCents) }] : []),
    ...(paymentId === null
      ? []
      : [
          {
            label: 'Pagamento',
            value: (
              <Link to={paths.transactions} search={{ id: paymentId }} className="link font-mono text-xs">
                {shortId(paymentId)}
              </Link>
            ),
          },
        ]),
    {
      label: 'EndToEndId',
      value: (
        <>
          <Code className="break-all">{dispute.endToEndId}</Code>
          <CopyButton iconOnly className="-mr-1.5" text={dispute.endToEndId} label="Copiar EndToEndId" />
        </>
      ),
    },
    ...(dispute.protocol === '' ? [] : [{ label: 'Protocolo', value: <Code>{dispute.protocol}</Code> }]),
    { label: 'Aberta em', value: formatDateTime(dispute.openedAt) },
    {
      label: 'Prazo da defesa',
      value: (
        <span>
          {formatDateTime(deadline)}
          {timeLeft !== null && <span className="block text-xs text-warning">{timeLeft}</span>}
        </span>
      ),
    },
    ...(dispute.defendedAt === null
      ? []
      : [{ label: 'Defesa enviada em', value: formatDateTime(dispute.defendedAt) }]),
    ...(dispute.resolvedAt === null
      ? []
      : [{ label: 'Encerrada em', value: formatDateTime(dispute.resolvedAt) }]),
  ];
}

const skeletonLabels = ['Contestado', 'Bloqueado', 'Pagamento', 'EndToEndId', 'Protocolo', 'Aberta em'];

export function DisputeSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
        <div>
          <div className="flex items-end justify-between gap-4">
            <SkeletonText line="h-10" className="h-8 w-44" />
            <Skeleton className="h-5.5 w-24" />
          </div>
          <div className="mt-3">
            <SkeletonText line="h-5" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-2/3" />
          </div>
        </div>
        <Panel well as="aside" label="Resumo">
          <h2 className="font-strong">Resumo</h2>
          <Facts
            bordered={false}
            className="mt-2"
            facts={skeletonLabels.map((label) => ({ label, value: <Skeleton className="h-3 w-24" /> }))}
          />
        </Panel>
      </div>
    </LoadingRegion>
  );
}

/** Explains to the merchant what happened and what comes next. */
function explanationOf(dispute: DisputeModel, phase: DisputePhase, now: number): string {
  const { blockedCents, returnedCents } = dispute;
  const contestedSentence = 'Quem pagou este Pix disse ao banco que foi vítima de golpe ou fraude.';
  const blockedSentence =
    blockedCents > 0 ? ` ${formatMoney(blockedCents)} do seu saldo ficam bloqueados até a decisão.` : '';
  switch (phase) {
    case 'defence':
      return `${contestedSentence}${blockedSentence} Se a venda foi real, mostre isso até ${formatDateAtTime(dispute.deadline)} (${formatTimeLeft(dispute.deadline, now)}): sem defesa, o banco decide só com o que ouviu de quem pagou.`;
    case 'decision':
      return dispute.defendedAt === null
        ? `${contestedSentence}${blockedSentence} O prazo da defesa terminou sem resposta, e o banco está decidindo.`
        : `${contestedSentence}${blockedSentence} Sua defesa foi enviada, e o banco está decidindo.`;
    case 'won':
      return 'O banco não aceitou a contestação. O que estava bloqueado voltou ao seu saldo.';
    case 'cancelled':
      return 'A contestação foi cancelada. O que estava bloqueado voltou ao seu saldo.';
    case 'lost':
      return returnedCents > 0
        ? `O banco aceitou a contestação e devolveu ${formatMoney(returnedCents)} a quem pagou.`
        : 'O banco aceitou a contestação. O valor volta a quem pagou.';
  }
}
