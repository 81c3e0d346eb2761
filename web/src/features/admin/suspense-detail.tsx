import {
  adminAssignSuspense,
  adminReturnSuspense,
  type adminSuspense,
  type ResponseOf,
  TWO_ADMINISTRATORS_CENTS,
} from '@jangada/contract';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { approvedReason } from '../../panel/approvals/approved-order.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, type Fact, Facts, type GlyphName, Notice, StatusBadge } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { type PickedUser, UserPicker } from './user-picker.tsx';

/** The action whose dialog is open. `confirm` confirms what another administrator has proposed. */
type SuspenseAction = 'assign' | 'return' | 'confirm';
type DetailProps = { pix: SuspensePix; onClose: () => void };

/**
 * The details of a Pix in suspense, that is, a received Pix that matches no charge. An administrator assigns the Pix to
 * a merchant or returns it to the payer. For a large amount, one administrator proposes the decision and another
 * confirms it.
 */
export function SuspenseDetail({ pix, onClose }: DetailProps) {
  const [action, setAction] = useState<SuspenseAction>();
  const closeAction = () => setAction(undefined);
  const { proposal } = pix;
  if (action === 'confirm' && proposal?.action === 'assign')
    return (
      <AssignDialog
        pix={pix}
        proposedUser={{ id: proposal.user_id ?? '', name: proposal.user_name ?? '' }}
        onClose={closeAction}
      />
    );
  if (action === 'assign') return <AssignDialog pix={pix} onClose={closeAction} />;
  if (action === 'return' || action === 'confirm') return <ReturnDialog pix={pix} onClose={closeAction} />;
  return <Detail pix={pix} onAction={setAction} onClose={onClose} />;
}

function Detail({ pix, onAction, onClose }: DetailProps & { onAction: (action: SuspenseAction) => void }) {
  const ownUserId = useSession(({ user }) => user?.id);
  const { glyph, label } = suspenseBadge(pix);
  const { proposal } = pix;
  const isOpen = pix.status === 'suspense';
  const canConfirm = isOpen && proposal !== null && proposal.proposed_by !== ownUserId;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pix sem dono"
      footerStart={
        isOpen ? (
          <Button variant="danger" onClick={() => onAction('return')}>
            Devolver
          </Button>
        ) : undefined
      }
      footer={
        isOpen ? (
          <>
            <Button onClick={() => onAction('assign')}>Atribuir</Button>
            {canConfirm && (
              <Button variant="primary" onClick={() => onAction('confirm')}>
                Confirmar
              </Button>
            )}
          </>
        ) : (
          <Button onClick={onClose}>Fechar</Button>
        )
      }
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(centsOf(pix.amount))}
        </p>
        <StatusBadge status={glyph}>{label}</StatusBadge>
      </div>
      {isOpen && <ProposalNotice pix={pix} ownUserId={ownUserId} />}
      <Facts facts={factsOf(pix)} />
    </Dialog>
  );
}

/** Shows the decision that an administrator has proposed, or says that a large amount needs a proposal first. */
function ProposalNotice({ pix, ownUserId }: { pix: SuspensePix; ownUserId: string | undefined }) {
  const { proposal } = pix;
  if (proposal === null)
    return centsOf(pix.amount) > TWO_ADMINISTRATORS_CENTS ? (
      <Notice tone="info" className="mb-4" title="Dois administradores.">
        Acima de {formatMoney(TWO_ADMINISTRATORS_CENTS)}, um propõe e outro confirma.
      </Notice>
    ) : null;
  const decisionText =
    proposal.action === 'assign' ? `atribuir a ${proposal.user_name ?? '—'}` : 'devolver a quem pagou';
  const proposerText =
    proposal.proposed_by === ownUserId ? 'Você propôs' : `${proposal.proposed_by_name} propôs`;
  return (
    <Notice tone="warning" className="mb-4" title={`${proposerText} ${decisionText}.`}>
      {proposal.reason} <span className="text-muted">({formatDateAtTime(proposal.proposed_at)})</span>{' '}
      {proposal.proposed_by === ownUserId
        ? 'Outro administrador precisa confirmar.'
        : 'Confirme, ou proponha outra coisa.'}
    </Notice>
  );
}

function factsOf(pix: SuspensePix): Fact[] {
  return [
    { label: 'Por que não tem dono', value: reasonText(pix.why) },
    { label: 'Pago em', value: formatDateTime(pix.paid_at) },
    { label: 'EndToEndId', value: <CopyableText text={pix.end_to_end_id} label="Copiar EndToEndId" /> },
    ...(pix.txid === null
      ? []
      : [{ label: 'txid', value: <CopyableText text={pix.txid} label="Copiar txid" /> }]),
  ];
}

const PROPOSAL_RECORDED = 'Proposta registrada. Outro administrador precisa confirmar.';
/** The properties that the two dialogs share. */
const reasonProps = { label: 'Motivo', maxLength: 300, tooShortError: 'Informe o motivo.' };

type AssignDialogProps = {
  pix: SuspensePix;
  /** The merchant whom another administrator proposed. When present, the dialog confirms that proposal. */
  proposedUser?: PickedUser;
  onClose: () => void;
};

/** Assigns the Pix to a merchant as a payment, or confirms such an assignment. */
function AssignDialog({ pix, proposedUser, onClose }: AssignDialogProps) {
  const [pickedUser, setPickedUser] = useState<PickedUser | null>(proposedUser ?? null);
  const [userError, setUserError] = useState<string>();
  /** The Pix as the gateway returns it. Its status shows whether the Pix was assigned, or only proposed to be. */
  const updatedPix = useRef<SuspensePix>(undefined);
  return (
    <ReasonDialog
      {...reasonProps}
      title={proposedUser === undefined ? 'Atribuir Pix a um lojista' : 'Confirmar atribuição'}
      submitLabel={proposedUser === undefined ? 'Atribuir' : 'Confirmar'}
      initialText={approvedReason('unmatched-pix', { end_to_end_id: pix.end_to_end_id, action: 'Atribuir' })}
      validate={() => {
        setUserError(pickedUser === null ? 'Escolha o lojista.' : undefined);
        return pickedUser !== null;
      }}
      onSend={async (reason) => {
        const params = { endToEndId: pix.end_to_end_id };
        const body = { userId: pickedUser?.id ?? '', reason };
        updatedPix.current = await call(adminAssignSuspense, { params, body });
      }}
      successMessage={() =>
        updatedPix.current?.status === 'assigned' ? `Pix atribuído a ${pickedUser?.name}.` : PROPOSAL_RECORDED
      }
      failure="Erro ao atribuir o Pix. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(centsOf(pix.amount))} entram como pagamento, com as tarifas e a reserva de agora
        {proposedUser === undefined ? '' : `, no saldo de ${proposedUser.name}`}.{' '}
        {proposedUser === undefined && <SecondAdministratorHint pix={pix} />}
      </p>
      {proposedUser === undefined && (
        <UserPicker
          pickedUser={pickedUser}
          error={userError}
          onPick={(user) => {
            setPickedUser(user);
            setUserError(undefined);
          }}
        />
      )}
    </ReasonDialog>
  );
}

/** Returns the Pix to its payer, or confirms a return that was proposed. */
function ReturnDialog({ pix, onClose }: { pix: SuspensePix; onClose: () => void }) {
  /** The Pix as the gateway returns it. Its status shows whether the Pix is being returned, or only proposed to be. */
  const updatedPix = useRef<SuspensePix>(undefined);
  return (
    <ReasonDialog
      {...reasonProps}
      title="Devolver a quem pagou?"
      submitLabel="Devolver"
      initialText={approvedReason('unmatched-pix', { end_to_end_id: pix.end_to_end_id, action: 'Devolver' })}
      danger
      onSend={async (reason) => {
        const params = { endToEndId: pix.end_to_end_id };
        updatedPix.current = await call(adminReturnSuspense, { params, body: { reason } });
      }}
      successMessage={() =>
        updatedPix.current?.status === 'suspense' ? PROPOSAL_RECORDED : 'Devolução a caminho.'
      }
      failure="Erro ao devolver o Pix. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(centsOf(pix.amount))} voltam para a conta de onde vieram. Não pode ser desfeito.{' '}
        <SecondAdministratorHint pix={pix} />
      </p>
    </ReasonDialog>
  );
}

function SecondAdministratorHint({ pix }: { pix: SuspensePix }) {
  if (centsOf(pix.amount) <= TWO_ADMINISTRATORS_CENTS) return null;
  return `Acima de ${formatMoney(TWO_ADMINISTRATORS_CENTS)}, outro administrador precisa confirmar.`;
}

export type SuspensePix = ResponseOf<typeof adminSuspense>['pix'][number];

const reasonTexts = new Map([
  ['no-txid', 'Sem identificação de cobrança'],
  ['unknown-txid', 'Identifica uma cobrança que não existe aqui'],
  ['second-payment', 'Segundo pagamento da mesma cobrança'],
  ['wrong-amount', 'Valor diferente do da cobrança'],
  ['wrong-key', 'Veio por outra chave'],
  ['below-fee', 'Não cobre a tarifa de quem receberia'],
]);

/** Why a Pix is in suspense, in Portuguese. A reason that this version does not know is shown as received. */
export function reasonText(reason: string): string {
  return reasonTexts.get(reason) ?? reason;
}

/** The badge for the state of a Pix in suspense. */
export function suspenseBadge({ status, proposal }: SuspensePix): { glyph: GlyphName; label: string } {
  if (status === 'returning') return { glyph: 'processing', label: 'Devolvendo' };
  if (status === 'returned') return { glyph: 'returned', label: 'Devolvido' };
  if (status === 'assigned') return { glyph: 'done', label: 'Atribuído' };
  return proposal === null
    ? { glyph: 'waiting', label: 'Sem dono' }
    : { glyph: 'waiting', label: 'Espera confirmação' };
}
