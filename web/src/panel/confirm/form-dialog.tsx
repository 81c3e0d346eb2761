import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, Notice } from '../../ui/index.ts';

type FormDialogProps = {
  title: string;
  /** Its fields. */
  children: ReactNode;
  /** The word on the button that sends it. */
  submit: string;
  /** For what takes something away. */
  danger?: boolean;
  /** Small unless given. */
  size?: 'small' | 'normal';
  onClose: () => void;
  /** Sends it, and answers whether the dialog is done with; what it throws is shown. */
  onSubmit: () => Promise<boolean>;
  /** Shown where the server says nothing itself. */
  failure: string;
};

/** A small form in a dialog: Cancelar and its own word; errors stay in it. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submit, danger = false, size = 'small', onClose, onSubmit, failure } = props;
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const form = useId();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setSending(true);
    try {
      if (await onSubmit()) onClose();
    } catch (reason) {
      if (!isCancelled(reason)) setError(errorText(reason, failure));
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size={size}
      locked={sending}
      footer={
        <>
          <Button onClick={onClose} disabled={sending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant={danger ? 'solid-danger' : 'primary'} sending={sending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={send} noValidate className="grid grid-cols-1 gap-5">
        {error !== undefined && <Notice tone="error">{error}</Notice>}
        {children}
      </form>
    </Dialog>
  );
}
