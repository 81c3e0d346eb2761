import type { ApprovalDetail } from '@jangada/contract';
import { useState } from 'react';
import type { ApprovalsOf } from '../../panel/approvals/approvals-queries.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { TextArea, toast } from '../../ui/index.ts';
import { isMoneyOrder } from './approval-words.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { approvalActions } from './use-approval.ts';

/** What the person is about to do about a request. */
export type ApprovalAction = 'approve' | 'reject' | 'retract' | 'cancel';

type ApprovalDialogsProps = {
  of: ApprovalsOf;
  approval: ApprovalDetail;
  action: ApprovalAction | null;
  onClose: () => void;
};

export function ApprovalDialogs({ of, approval, action, onClose }: ApprovalDialogsProps) {
  const { retract, cancel } = approvalActions(approval.id);
  return (
    <>
      {action === 'approve' && <ApproveDialog of={of} approval={approval} onClose={onClose} />}
      {action === 'reject' && <RejectDialog approval={approval} onClose={onClose} />}
      <ConfirmDialog
        open={action === 'retract'}
        onClose={onClose}
        title="Retirar a sua aprovação?"
        confirm="Retirar aprovação"
        failure="Erro ao retirar a aprovação. Tente novamente."
        onConfirm={async () => {
          await retract();
          toast('Aprovação retirada');
        }}
      >
        O pedido volta a esperar. Se ele já tiver sido enviado ao banco, retirar não o desfaz.
      </ConfirmDialog>
      <ConfirmDialog
        open={action === 'cancel'}
        onClose={onClose}
        title="Desistir do pedido?"
        confirm="Desistir"
        failure="Erro ao desistir do pedido. Tente novamente."
        onConfirm={async () => {
          await cancel();
          toast('Pedido desfeito');
        }}
      >
        {isMoneyOrder(approval.kind) ? 'Nada sai, e o dinheiro reservado volta ao saldo.' : 'Nada é feito.'}
      </ConfirmDialog>
    </>
  );
}

const REASON_MAX_LENGTH = 200;

function RejectDialog({ approval, onClose }: { approval: ApprovalDetail; onClose: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title="Recusar pedido?"
      submit="Recusar"
      danger
      failure="Erro ao recusar o pedido. Tente novamente."
      onClose={onClose}
      onSubmit={async () => {
        await approvalActions(approval.id).reject(reason.trim());
        toast('Pedido recusado');
        return true;
      }}
    >
      <p className="text-muted">
        <span className="wrap-anywhere text-base-content">{approval.summary}</span>.{' '}
        {isMoneyOrder(approval.kind) ? 'Nada sai, e o dinheiro reservado volta ao saldo.' : 'Nada é feito.'}
      </p>
      <TextArea
        label="Motivo (opcional)"
        hint="Quem pediu o lê."
        rows={3}
        data-autofocus
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
