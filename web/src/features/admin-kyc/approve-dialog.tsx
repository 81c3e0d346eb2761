import type { PendingKycModel } from '@jangada/contract';
import { documentOf } from '../../panel/users/user-look.tsx';
import { Button, Dialog, Notice } from '../../ui/index.ts';
import type { KycDecisionActions } from './use-decision.ts';

type ApproveDialogProps = { pending: PendingKycModel; decision: KycDecisionActions; onClose: () => void };

/** Asks before somebody is approved from the list, without a look at their documents. */
export function ApproveDialog({ pending, decision, onClose }: ApproveDialogProps) {
  const { deciding, failure } = decision;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Aprovar verificação"
      size="small"
      role="alertdialog"
      locked={deciding !== undefined}
      footer={
        <>
          <Button data-autofocus disabled={deciding !== undefined} onClick={onClose}>
            Cancelar
          </Button>
          <Button
            variant="primary"
            sending={deciding === 'approve'}
            onClick={() => decision.approve(pending)}
          >
            Aprovar
          </Button>
        </>
      }
    >
      <p>
        <strong className="font-strong">{pending.name}</strong>, {pending.docType}{' '}
        <span className="whitespace-nowrap tabular-nums">{documentOf(pending)}</span>, passa a receber e a
        sacar.
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
