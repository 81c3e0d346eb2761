import { centsFromBrl } from '@jangada/contract';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { formatDays } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import type {
  ApprovalPerson,
  ApprovalPolicyState,
  ApprovalsOf,
} from '../../panel/approvals/approvals-queries.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useMay } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  type GlyphName,
  LoadingRegion,
  Notice,
  SectionHeader,
  Skeleton,
  StatusBadge,
} from '../../ui/index.ts';
import { approvalsInWords } from './approval-words.ts';
import { AskToApprove } from './ask-to-approve.tsx';
import { PolicyDialog, TurnOffDialog } from './policy-dialog.tsx';

type PolicyQuery = {
  data: ApprovalPolicyState | undefined;
  isError: boolean;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

/** When approval is asked for, in plain words, who gives it, and how an owner changes that. */
export function PolicySection({ of, query }: { of: ApprovalsOf; query: PolicyQuery }) {
  const [dialog, setDialog] = useState<'change' | 'off' | null>(null);
  const isOwner = useMay('manage-approvals');
  const mayManage = of === 'operator' || isOwner;
  const { data } = query;
  const isOn = data?.policy.enabled ?? false;
  const close = () => setDialog(null);
  return (
    <section aria-labelledby="policy" className="mt-12">
      <SectionHeader
        id="policy"
        title="Quando se pede aprovação"
        aside={
          data && <StatusBadge status={isOn ? 'done' : 'gone'}>{isOn ? 'Ligada' : 'Desligada'}</StatusBadge>
        }
      />
      {data !== undefined ? (
        <>
          {isOn && <FewApprovers of={of} state={data} />}
          <div className="max-w-160">
            <p>{isOn ? policyInWords(data.policy, of) : offText(of)}</p>
            <p className="mt-2 text-muted">{whatNeedsApproval(of)}</p>
          </div>
          {mayManage && (
            <div className="mt-4 flex flex-wrap gap-3 max-md:*:grow">
              <Button variant={isOn ? 'line' : 'primary'} onClick={() => setDialog('change')}>
                {isOn ? 'Mudar' : 'Ligar aprovações'}
              </Button>
              {isOn && (
                <Button variant="danger" onClick={() => setDialog('off')}>
                  Desligar
                </Button>
              )}
            </div>
          )}
          <Approvers of={of} state={data} />
          {dialog === 'change' && <PolicyDialog of={of} state={data} onClose={close} />}
          <TurnOffDialog of={of} policy={data.policy} open={dialog === 'off'} onClose={close} />
        </>
      ) : query.isError ? (
        <LoadFailure query={query} title="Erro ao buscar a política de aprovação" place="part" />
      ) : (
        <LoadingRegion>
          <Skeleton className="mt-2 h-3 w-full max-w-140" />
          <Skeleton className="mt-3 h-3 w-full max-w-100" />
          <Skeleton className="mt-6 h-28 w-full" />
        </LoadingRegion>
      )}
    </section>
  );
}

/** Says that those who approve could not approve what one of them asks for, or only just. */
function FewApprovers({ of, state: { policy, approvers } }: { of: ApprovalsOf; state: ApprovalPolicyState }) {
  const counted = approvers.filter(({ status }) => status === 'approves').length;
  // Whoever does not approve learns the rule, and not who approves.
  if (approvers.length === 0 || counted > policy.approvals) return null;
  const people = counted === 1 ? '1 pessoa aprova' : `${counted} pessoas aprovam`;
  return (
    <Notice tone="error" className="mb-5" title="Faltam pessoas que aprovem.">
      Hoje {people}, e {approvalsInWords(policy.approvals)} de quem não pediu são necessárias: o que uma delas
      pede ninguém aprova. {of === 'operator' ? 'Outro administrador' : 'Outro dono ou financeiro'} com
      segundo fator pode pedir que a aprovação dele conte.
    </Notice>
  );
}

function offText(of: ApprovalsOf): string {
  return of === 'operator'
    ? 'Um administrador sozinho faz tudo. Ligada, o que é grave só acontece depois que outro aprova.'
    : 'Quem tem o papel para isso tira dinheiro sozinho. Ligada, o dinheiro só sai depois que outra pessoa da conta aprova.';
}

function policyInWords(
  { from, approvals, expires_hours, passkeys_only }: ApprovalPolicyState['policy'],
  of: ApprovalsOf,
) {
  const cents = centsFromBrl(from) ?? 0;
  const amount =
    cents === 0
      ? 'Todo saque e todo estorno espera'
      : `De ${formatMoney(cents)} em diante, em um pedido ou somando os de 24 horas, um saque ou estorno espera`;
  const start = of === 'operator' ? 'Os atos graves da operação esperam' : amount;
  return `${start} ${approvalsInWords(approvals)} de quem não pediu, por até ${hoursInWords(expires_hours)}.${passkeys_only ? ' Só contam chaves de acesso.' : ''}`;
}

export function hoursInWords(hours: number): string {
  if (hours % 24 === 0) return formatDays(hours / 24);
  return hours === 1 ? '1 hora' : `${hours} horas`;
}

function whatNeedsApproval(of: ApprovalsOf): string {
  return of === 'operator'
    ? 'São eles: liberar um saque retido, dar destino a um Pix sem dono acima do limite, encerrar um item que para os envios, retomar os envios, tornar alguém administrador e devolver o acesso a uma conta. E também a própria política e quem passa a aprovar.'
    : 'Também precisam de aprovação destinos e chaves de API que movem dinheiro, contas bancárias, membros que movem dinheiro, quem passa a aprovar e a própria política.';
}

const statusWords: Record<ApprovalPerson['status'], { readonly glyph: GlyphName; readonly label: string }> = {
  approves: { glyph: 'done', label: 'Aprova' },
  'no-factor': { glyph: 'gone', label: 'Sem segundo fator' },
  'not-approved': { glyph: 'waiting', label: 'Ainda não conta' },
};

function Approvers({ of, state: { policy, approvers } }: { of: ApprovalsOf; state: ApprovalPolicyState }) {
  const own = approvers.find(({ is_own }) => is_own);
  return (
    <div className="mt-8">
      <h3 className="font-strong">{policy.enabled ? 'Quem aprova' : 'Quem poderia aprovar'}</h3>
      <p className="mt-1 text-muted">
        {of === 'operator' ? 'Administradores' : 'Donos e financeiro'} com um segundo fator
        {policy.passkeys_only && policy.enabled ? ', que seja uma chave de acesso' : ''}.
      </p>
      <ul className="mt-3 divide-y divide-base-300 border-y border-base-300">
        {approvers.map(({ id, name, email, status, is_own }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <span className="min-w-0">
              <span className="font-medium wrap-anywhere">
                {name}
                {is_own && <span className="font-normal text-muted"> (você)</span>}
              </span>
              <span className="block text-xs break-all text-muted">{email}</span>
            </span>
            <span className="flex flex-wrap items-center gap-3">
              <StatusBadge status={statusWords[status].glyph}>
                {status === 'approves' && !policy.enabled ? 'Pode aprovar' : statusWords[status].label}
              </StatusBadge>
              {is_own && status === 'no-factor' && (
                <Link to={paths.security} className={buttonClass({ size: 'small' })}>
                  Ligar segundo fator
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      {own?.status === 'not-approved' && (
        <div className="mt-4">
          <AskToApprove of={of} />
        </div>
      )}
    </div>
  );
}
