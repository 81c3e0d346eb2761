import { type ReactNode, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, Notice } from '../../ui/index.ts';

type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  /** Of the confirm button: `primary` for what is not destructive. */
  variant?: 'primary' | 'solid-danger';
  onConfirm: () => Promise<unknown>;
  /** The error message when the server sends none. */
  failure: string;
};

/**
 * Asks for confirmation before an irreversible action. If the action fails, the dialog stays open and shows the error.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, children, confirm, variant = 'solid-danger', onConfirm, failure } = props;
  const [error, setError] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const close = () => {
    setError(undefined);
    onClose();
  };
  const run = async () => {
    setIsSending(true);
    setError(undefined);
    try {
      await onConfirm();
      close();
    } catch (reason) {
      // No error for a user who cancelled a prompt on the way, and so knows that nothing was done.
      if (isApprovalRequested(reason)) close();
      else if (!isCancelled(reason)) setError(errorText(reason, failure));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      size="small"
      role="alertdialog"
      locked={isSending}
      footer={
        <>
          <Button data-autofocus onClick={close} disabled={isSending}>
            {/* Beside “Cancelar assinatura”, nobody could tell which of two buttons cancels what. */}
            {confirm.startsWith('Cancelar') ? 'Voltar' : 'Cancelar'}
          </Button>
          <Button variant={variant} isSending={isSending} onClick={run}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="text-muted">{children}</div>
      {error !== undefined && (
        <Notice tone="error" className="mt-4">
          {error}
        </Notice>
      )}
    </Dialog>
  );
}
