import type { ApprovalDetail } from '@jangada/contract';
import { useState } from 'react';
import { screenPermissions } from '../../app/screen-permissions.ts';
import { formatDateAtTime, formatDateTime, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import {
  type ApprovalsOf,
  isCarriedOutAlone,
  isWaiting,
  waitsForMaker,
} from '../../panel/approvals/approvals-queries.ts';
import { orderOf, rememberApproved } from '../../panel/approvals/approved-order.ts';
import { may } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  Code,
  CodeWell,
  CopyButton,
  type Fact,
  Facts,
  Glyph,
  LoadingRegion,
  Panel,
  SectionHeader,
  Skeleton,
  SkeletonText,
  StatusBadge,
} from '../../ui/index.ts';
import { type ApprovalAction, ApprovalDialogs } from './approval-dialogs.tsx';
import { approvalsInWords, badgeOf, isMoneyOrder, placeOf, unusualTexts } from './approval-words.ts';
import { countText } from './approvals-table.tsx';
import { AskToApprove } from './ask-to-approve.tsx';

type ApprovalViewProps = { of: ApprovalsOf; approval: ApprovalDetail; now: number };

/** One request: what was asked for, what is unusual about it, who approved it, and what the person may do about it. */
export function ApprovalView({ of, approval, now }: ApprovalViewProps) {
  const [action, setAction] = useState<ApprovalAction | null>(null);
  const { glyph, label } = badgeOf(approval, now);
  const { amount_cents: amountCents, summary, unusual, reason } = approval;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
        <section aria-label="O pedido">
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
            {amountCents !== null && (
              <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
                {formatMoney(amountCents)}
              </p>
            )}
            {amountCents === null && <p className="text-lg font-strong wrap-anywhere">{summary}</p>}
            <span aria-live="polite">
              <StatusBadge status={glyph}>{label}</StatusBadge>
            </span>
          </div>
          {amountCents !== null && <p className="mt-2 font-medium wrap-anywhere">{summary}</p>}
          <p className="mt-3">{explanationOf(approval, now)}</p>
          {reason !== null && reason !== '' && (
            <p className="mt-2 text-muted">
              Motivo: <span className="wrap-anywhere text-base-content">{reason}</span>
            </p>
          )}
          <Actions of={of} approval={approval} now={now} onAction={setAction} />
        </section>
        {unusual.length > 0 && (
          <section aria-labelledby="unusual">
            <SectionHeader id="unusual" title="Fora do comum" />
            <ul className="grid gap-2">
              {unusual.map((sign) => (
                <li key={sign} className="flex gap-2">
                  <Glyph name="waiting" className="mt-0.5 size-4 shrink-0" />
                  {unusualTexts[sign]}
                </li>
              ))}
            </ul>
          </section>
        )}
        <Given approval={approval} />
        <SignedText approval={approval} />
      </div>
      <Panel well as="aside" label="Resumo">
        <h2 className="font-strong">Resumo</h2>
        <Facts bordered={false} className="mt-2" facts={factsOf(approval, now)} />
      </Panel>
      <ApprovalDialogs of={of} approval={approval} action={action} onClose={() => setAction(null)} />
    </div>
  );
}

/** The number of the user whom a request of the operator is about. */
function subjectOf({ document }: ApprovalDetail): string | undefined {
  const user = orderOf(document)?.['user'];
  return user === undefined || user === null ? undefined : String(user);
}

const hasReason = ({ document }: ApprovalDetail) => typeof orderOf(document)?.['reason'] === 'string';

/** What happens with the request, and what is left to do for this person. */
function explanationOf(approval: ApprovalDetail, now: number): string {
  const { status, is_maker: isMaker, needed, approvals, kind, maker, expires_at: expiresAt } = approval;
  const name = maker?.name ?? 'Uma chave de API';
  const missing = needed - approvals.length;
  switch (status) {
    case 'open': {
      if (Date.parse(expiresAt) <= now) return 'O prazo terminou sem as aprovações, e nada foi feito.';
      const until = `até ${formatDateAtTime(expiresAt)}`;
      const others = missing === 1 ? 'outra pessoa' : `outras ${missing} pessoas`;
      if (isMaker)
        return `Você pediu isto, e por isso ${others} precisa${missing === 1 ? '' : 'm'} aprovar ${until}.`;
      if (approvals.some(({ is_own }) => is_own))
        return `Você aprovou. ${missing === 1 ? 'Falta' : 'Faltam'} ${approvalsInWords(missing)} ${until}.`;
      return `${name} pediu isto. ${missing === 1 ? 'Falta' : 'Faltam'} ${approvalsInWords(missing)} ${until}; sem ${missing === 1 ? 'ela' : 'elas'}, nada acontece.`;
    }
    case 'approved':
      if (isCarriedOutAlone(kind)) return 'O pedido foi aprovado e está sendo cumprido.';
      return isMaker
        ? `O pedido foi aprovado. Conclua-o até ${formatDateAtTime(expiresAt)}: faça de novo o que pediu, com os mesmos dados. ${hasReason(approval) ? 'O motivo já vem preenchido.' : ''}`.trim()
        : `O pedido foi aprovado. ${name} ainda precisa concluí-lo.`;
    case 'done':
      if (kind === 'destination' && isMaker)
        return 'O destino foi aprovado. Se ele ainda não estiver salvo, salve-o de novo, com o mesmo limite.';
      return 'O pedido foi aprovado e cumprido.';
    case 'rejected':
      return `${approval.ended_by?.name ?? 'Quem aprova'} recusou. ${isMoneyOrder(kind) ? 'Nada saiu, e o dinheiro reservado voltou ao saldo.' : 'Nada foi feito.'}`;
    case 'cancelled':
      return 'O pedido foi desfeito antes da aprovação, e nada foi feito.';
    case 'expired':
      return 'O prazo terminou sem as aprovações, e nada foi feito.';
  }
}

type ActionsProps = ApprovalViewProps & { onAction: (action: ApprovalAction) => void };

function Actions({ of, approval, now, onAction }: ActionsProps) {
  const { is_maker: isMaker, may_approve: mayApprove, approvals, status } = approval;
  const isApprover = of === 'operator' || may('approve');
  const isOpen = isWaiting(approval) && Date.parse(approval.expires_at) > now;
  const hasApproved = approvals.some(({ is_own }) => is_own);
  const isNotCounted = status === 'open' && isOpen && isApprover && !isMaker && !mayApprove && !hasApproved;
  const place = placeOf({ ...approval, subject_id: subjectOf(approval) });
  const isOffered = place !== undefined && may(screenPermissions[place.target.to] ?? 'own');
  const concludes = waitsForMaker(approval) || (isMaker && approval.kind === 'destination');
  return (
    <>
      {isNotCounted && (
        <div className="mt-5">
          <AskToApprove of={of} />
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3 empty:hidden max-md:*:grow">
        {isOpen && mayApprove && (
          <Button variant="primary" onClick={() => onAction('approve')}>
            Aprovar
          </Button>
        )}
        {isOpen && isApprover && !isMaker && (
          <Button variant="danger" onClick={() => onAction('reject')}>
            Recusar
          </Button>
        )}
        {isOpen && hasApproved && (
          <Button onClick={() => onAction('retract')}>Retirar minha aprovação</Button>
        )}
        {isOffered && (
          <Link
            {...place.target}
            onClick={() => waitsForMaker(approval) && rememberApproved(approval)}
            className={buttonClass({ variant: concludes && isOpen ? 'primary' : 'line' })}
          >
            {waitsForMaker(approval) ? 'Concluir' : place.label}
          </Link>
        )}
        {isOpen && isMaker && (
          <Button variant="danger" onClick={() => onAction('cancel')}>
            Desistir do pedido
          </Button>
        )}
      </div>
    </>
  );
}

const methodTexts = { passkey: 'com chave de acesso', totp: 'com o código do aplicativo' } as const;

function Given({ approval }: { approval: ApprovalDetail }) {
  const { approvals, status } = approval;
  if (approvals.length === 0 && status !== 'open') return null;
  return (
    <section aria-labelledby="given">
      <SectionHeader
        id="given"
        title="Quem aprovou"
        aside={<span className="text-muted tabular-nums">{countText(approval)}</span>}
      />
      {approvals.length === 0 ? (
        <p className="text-muted">Ninguém ainda.</p>
      ) : (
        <ul className="divide-y divide-base-300 border-y border-base-300">
          {approvals.map(({ person, method, approved_at, is_own }) => (
            <li key={person.id} className="flex items-start gap-2.5 py-3">
              <Glyph name="done" className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0">
                <span className="font-medium wrap-anywhere">{is_own ? 'Você' : person.name}</span>
                <span className="block text-xs text-muted">
                  {methodTexts[method]}, em {formatDateTime(approved_at)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The exact text that is approved, for whoever wants to check what they sign. */
function SignedText({ approval: { document: text, digest } }: { approval: ApprovalDetail }) {
  return (
    <details>
      <summary className="min-h-10 cursor-pointer py-2 font-medium">Ver o texto que se assina</summary>
      <p className="mt-1 mb-3 text-muted">
        Quem aprova assina o resumo SHA-256 deste texto, letra por letra. A parte do gateway que fala com o
        banco confere as assinaturas antes de enviar.
      </p>
      <CodeWell label="Texto">{text}</CodeWell>
      <div className="mt-3 flex items-center gap-x-2">
        <p className="min-w-0 grow">
          <span className="block text-muted">SHA-256</span>
          <Code className="break-all">{digest}</Code>
        </p>
        <CopyButton iconOnly text={digest} label="Copiar o resumo" />
      </div>
    </details>
  );
}

function factsOf({ facts, maker, ...approval }: ApprovalDetail, now: number): Fact[] {
  const { created_at, expires_at, ended_at } = approval;
  const timeLeft = isWaiting(approval) ? formatTimeLeft(expires_at, now) : null;
  return [
    ...facts.map(({ label, value }) => ({ label, value, strong: label === 'Valor' })),
    { label: 'Pedido por', value: maker?.name ?? 'Chave de API' },
    { label: 'Pedido em', value: formatDateTime(created_at) },
    ...(ended_at === null
      ? [
          {
            label: 'Prazo',
            value: (
              <span>
                {formatDateTime(expires_at)}
                {timeLeft !== null && <span className="block text-xs text-warning">{timeLeft}</span>}
              </span>
            ),
          },
        ]
      : [{ label: 'Terminado em', value: formatDateTime(ended_at) }]),
  ];
}

const skeletonLabels = ['Valor', 'Tarifa', 'Chave Pix', 'Pedido por', 'Pedido em', 'Prazo'];

export function ApprovalSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
        <div>
          <div className="flex items-end justify-between gap-4">
            <SkeletonText line="h-10" className="h-8 w-44" />
            <Skeleton className="h-5.5 w-28" />
          </div>
          <div className="mt-3">
            <SkeletonText line="h-5" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-2/3" />
          </div>
          <Skeleton className="mt-5 h-10 w-56" />
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
