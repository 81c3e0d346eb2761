import type { PendingKycModel } from '@jangada/contract';
import { formatUserDocument } from '../../panel/users/user-display.tsx';
import { Button, Dialog, Notice } from '../../ui/index.ts';
import type { KycDecisionActions } from './use-decision.ts';

type ApproveDialogProps = { pending: PendingKycModel; decision: KycDecisionActions; onClose: () => void };

/** Asks for confirmation when an account is approved from the list, without opening its documents. */
export function ApproveDialog({ pending, decision, onClose }: ApproveDialogProps) {
  const { decisionInProgress, failure } = decision;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Aprovar verificação"
      size="small"
      role="alertdialog"
      locked={decisionInProgress !== undefined}
      footer={
        <>
          <Button data-autofocus disabled={decisionInProgress !== undefined} onClick={onClose}>
            Cancelar
          </Button>
          <Button
            variant="primary"
            isSending={decisionInProgress === 'approve'}
            onClick={() => decision.approve(pending)}
          >
            Aprovar
          </Button>
        </>
      }
    >
      <p>
        <strong className="font-strong">{pending.name}</strong>, {pending.docType}{' '}
        <span className="whitespace-nowrap tabular-nums">{formatUserDocument(pending)}</span>, passa a receber
        e a sacar.
      </p>
      <p className="mt-2 text-muted">Você já conferiu os documentos?</p>
      {failure !== undefined && (
        <Notice tone="error" className="mt-4">
          {failure}
        </Notice>
      )}
    </Dialog>
  );
}
