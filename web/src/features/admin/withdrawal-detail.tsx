import {
  type AdminWithdrawal,
  adminHoldWithdrawal,
  adminReleaseWithdrawal,
  adminResolveWithdrawal,
} from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { approvedReason } from '../../panel/approvals/approved-order.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { displayPixKey, keyTypeName } from '../../panel/pix-key/pix-key.ts';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, type Fact, Facts, Notice } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { type OutcomeOption, ResolveDialog } from './resolve-dialog.tsx';
import { AdminWithdrawalBadge } from './withdrawals-table.tsx';

/** The action whose dialog is open. */
type WithdrawalAction = 'hold' | 'release' | 'resolve';
type DetailProps = { withdrawal: AdminWithdrawal; onClose: () => void };

/**
 * The details of one withdrawal. An administrator can hold a withdrawal that was not sent yet, release it again, or end
 * one with evidence from the bank.
 */
export function AdminWithdrawalDetail({ withdrawal, onClose }: DetailProps) {
  const [action, setAction] = useState<WithdrawalAction>();
  const closeAction = () => setAction(undefined);
  if (action === 'hold') return <HoldDialog withdrawal={withdrawal} onClose={closeAction} />;
  if (action === 'release') return <ReleaseDialog withdrawal={withdrawal} onClose={closeAction} />;
  if (action === 'resolve') return <ResolveWithdrawalDialog withdrawal={withdrawal} onClose={closeAction} />;
  return <Detail withdrawal={withdrawal} onAction={setAction} onClose={onClose} />;
}

function Detail({
  withdrawal,
  onAction,
  onClose,
}: DetailProps & { onAction: (action: WithdrawalAction) => void }) {
  const isOwnWithdrawal = useSession(({ user }) => user?.id) === withdrawal.user.id;
  const { status, held_because, resolutions } = withdrawal;
  const isPending = status === 'pending';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Saque"
      footerStart={
        resolutions.length > 0 && !isOwnWithdrawal ? (
          <Button variant="danger" onClick={() => onAction('resolve')}>
            Encerrar
          </Button>
        ) : undefined
      }
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {isPending && !isOwnWithdrawal && (
            <Button
              variant={held_because === null ? 'line' : 'primary'}
              onClick={() => onAction(held_because === null ? 'hold' : 'release')}
            >
              {held_because === null ? 'Segurar' : 'Liberar'}
            </Button>
          )}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(withdrawal.amount_cents)}
        </p>
        <AdminWithdrawalBadge withdrawal={withdrawal} />
      </div>
      <StateNotice withdrawal={withdrawal} isOwnWithdrawal={isOwnWithdrawal} />
      <Facts facts={factsOf(withdrawal)} />
    </Dialog>
  );
}

/**
 * The remark about the state of the withdrawal that matters most to the administrator. `resolutions` are the outcomes
 * that may be recorded now.
 */
function StateNotice({
  withdrawal,
  isOwnWithdrawal,
}: {
  withdrawal: AdminWithdrawal;
  isOwnWithdrawal: boolean;
}) {
  const { held_because, in_doubt, unknown_since, resolutions, error, status } = withdrawal;
  if (isOwnWithdrawal && (status === 'pending' || status === 'processing'))
    return (
      <Notice tone="info" className="mb-4" title="É um saque seu.">
        Outro administrador decide sobre ele.
      </Notice>
    );
  if (held_because !== null)
    return (
      <Notice tone="warning" className="mb-4" title="Segurado.">
        {held_because}
      </Notice>
    );
  if (in_doubt)
    return (
      <Notice tone="warning" className="mb-4" title="O banco não disse o desfecho.">
        Sem notícia desde {formatDateTime(unknown_since)}.{' '}
        {resolutions.length === 0
          ? 'Depois de uma hora ele pode ser encerrado com prova do banco.'
          : 'Procure-o no banco pelo idEnvio e encerre-o com a prova.'}
      </Notice>
    );
  if (error === null) return null;
  return (
    <Notice tone={status === 'failed' ? 'error' : 'warning'} className="mb-4">
      {error}
    </Notice>
  );
}

function factsOf(withdrawal: AdminWithdrawal): Fact[] {
  const { amount_cents, fee_cents, pix_key, pix_key_type, completed_at, end_to_end_id, user } = withdrawal;
  return [
    { label: 'Lojista', value: <span className="wrap-anywhere">{user.name}</span> },
    { label: 'Valor', value: formatMoney(amount_cents) },
    { label: 'Tarifa', value: formatDeduction(fee_cents) },
    { label: 'Chega à chave', value: formatMoney(amount_cents - fee_cents), strong: true },
    {
      label: 'Chave PIX',
      value: (
        <CopyableText
          text={pix_key}
          displayText={displayPixKey(pix_key_type, pix_key)}
          label="Copiar chave PIX"
        />
      ),
    },
    { label: 'Tipo de chave', value: keyTypeName(pix_key_type) },
    { label: 'Criado em', value: formatDateTime(withdrawal.created_at) },
    ...(completed_at === null ? [] : [{ label: 'Concluído em', value: formatDateTime(completed_at) }]),
    { label: 'ID', value: <CopyableText text={withdrawal.id} label="Copiar ID" /> },
    { label: 'idEnvio', value: <CopyableText text={withdrawal.id_envio} label="Copiar idEnvio" /> },
    ...(end_to_end_id === null
      ? []
      : [{ label: 'EndToEndId', value: <CopyableText text={end_to_end_id} label="Copiar EndToEndId" /> }]),
  ];
}

/** The properties that the dialogs to hold and to release share. */
const reasonProps = { label: 'Motivo', maxLength: 500, tooShortError: 'Informe o motivo.' };
const idsOf = ({ user, id }: AdminWithdrawal) => ({ userId: user.id, id });

function HoldDialog({ withdrawal, onClose }: DetailProps) {
  return (
    <ReasonDialog
      {...reasonProps}
      title="Segurar saque?"
      submitLabel="Segurar"
      onSend={(reason) => call(adminHoldWithdrawal, { params: idsOf(withdrawal), body: { reason } })}
      successMessage="Saque segurado."
      failure="Erro ao segurar o saque. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(withdrawal.amount_cents)} de {withdrawal.user.name} não sai até ser liberado ou
        encerrado. O lojista vê que está em análise pelo operador, sem o motivo.
      </p>
    </ReasonDialog>
  );
}

function ReleaseDialog({ withdrawal, onClose }: DetailProps) {
  return (
    <ReasonDialog
      {...reasonProps}
      label="O que foi conferido"
      title="Liberar saque?"
      submitLabel="Liberar"
      initialText={approvedReason('held-withdrawal', { user: withdrawal.user.id, id: withdrawal.id })}
      onSend={(reason) => call(adminReleaseWithdrawal, { params: idsOf(withdrawal), body: { reason } })}
      successMessage="Saque liberado."
      failure="Erro ao liberar o saque. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(withdrawal.amount_cents)} de {withdrawal.user.name} sai em seguida, se nada mais o
        segura. Segurado por:{' '}
        <span className="wrap-anywhere text-base-content">{withdrawal.held_because}</span>
      </p>
    </ReasonDialog>
  );
}

/** The outcomes that an administrator can record for a withdrawal. */
const withdrawalOutcomes: readonly OutcomeOption<AdminWithdrawal['resolutions'][number]>[] = [
  { value: 'paid', label: 'Foi pago', successMessage: 'Saque concluído.', bankReferenceLabel: 'EndToEndId' },
  { value: 'refused', label: 'Não saiu', successMessage: 'Saque encerrado: o valor voltou ao lojista.' },
];

/** Ends the withdrawal with one of the outcomes that the gateway allows now. */
function ResolveWithdrawalDialog({ withdrawal, onClose }: DetailProps) {
  const { resolutions, user, amount_cents, status, end_to_end_id } = withdrawal;
  const moneyBackText = `${formatMoney(amount_cents)} voltam ao saldo de ${user.name}`;
  return (
    <ResolveDialog
      title="Encerrar saque"
      intro={
        status === 'pending'
          ? `Este saque ainda não saiu: ${moneyBackText}.`
          : `Procure-o no banco pelo idEnvio. Se não saiu, ${moneyBackText}: tenha certeza.`
      }
      outcomeOptions={withdrawalOutcomes.filter(({ value }) => resolutions.includes(value))}
      knownBankReference={end_to_end_id}
      onSend={(outcome, evidence, endToEndId) =>
        call(adminResolveWithdrawal, {
          params: idsOf(withdrawal),
          body: { outcome, evidence, ...(endToEndId !== undefined && { end_to_end_id: endToEndId }) },
        })
      }
      failure="Erro ao encerrar o saque. Tente novamente."
      onClose={onClose}
    />
  );
}
