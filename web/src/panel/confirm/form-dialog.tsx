import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { errorText } from '../../api/error-text.ts';
import { isInDoubt } from '../../api/intents.ts';
import { Button, bringIntoView, Dialog, Notice } from '../../ui/index.ts';

type FormDialogProps = {
  title: string;
  /** The form's fields. */
  children: ReactNode;
  /** The label of the submit button. */
  submit: string;
  /** True for a destructive action. */
  danger?: boolean;
  /** `small` by default. */
  size?: 'small' | 'normal';
  onClose: () => void;
  /**
   * Submits the form, and returns whether to close the dialog. If it throws, the dialog stays open and shows the error.
   */
  onSubmit: () => Promise<boolean>;
  /** The error message when the server sends none. */
  failure: string;
  /** Shown instead of `failure` when the outcome of the call is unknown and a retry might carry out the call twice. */
  inDoubtMessage?: string | undefined;
};

/** A small form in a dialog, with *Cancelar* and a submit button; errors are shown inside it. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    children,
    submit,
    danger = false,
    size = 'small',
    onClose,
    onSubmit,
    failure,
    inDoubtMessage,
  } = props;
  const [error, setError] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const form = useId();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setIsSending(true);
    try {
      if (await onSubmit()) onClose();
    } catch (reason) {
      if (isCancelled(reason)) return;
      if (isApprovalRequested(reason)) return onClose();
      setError(
        inDoubtMessage !== undefined && isInDoubt(reason) ? inDoubtMessage : errorText(reason, failure),
      );
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size={size}
      locked={isSending}
      footer={
        <>
          <Button onClick={onClose} disabled={isSending}>
            Cancelar
          </Button>
          <Button
            type="submit"
            form={form}
            variant={danger ? 'solid-danger' : 'primary'}
            isSending={isSending}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={send} noValidate className="grid grid-cols-1 gap-5">
        {error !== undefined && (
          <div ref={bringIntoView} className="scroll-my-5">
            <Notice tone="error">{error}</Notice>
          </div>
        )}
        {children}
      </form>
    </Dialog>
  );
}
