import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, PasswordField } from '../../ui/index.ts';

type PasswordDialogProps = {
  open: boolean;
  onClose: () => void;
  /** Sends the password. The dialog closes on success, and shows the error on failure. */
  onPassword: (password: string) => Promise<unknown>;
  /** Why the password is needed. */
  reason: string;
};

/** Asks for the password before a sensitive action, so that a stranger who finds an open session cannot perform it. */
export function PasswordDialog({ open, onClose, onPassword, reason }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const form = useId();
  const close = () => {
    setPassword('');
    setError(undefined);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (password === '') return setError('Informe a senha.');
    setIsSending(true);
    setError(undefined);
    try {
      await onPassword(password);
      close();
    } catch (failure) {
      if (isApprovalRequested(failure)) close();
      else setError(errorText(failure, 'Não foi possível confirmar a senha. Tente novamente.'));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Confirme sua senha"
      size="small"
      locked={isSending}
      footer={
        <>
          <Button onClick={close} disabled={isSending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant="primary" isSending={isSending}>
            Confirmar
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        <p className="mb-4 text-muted">{reason}</p>
        <PasswordField
          label="Senha"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={error}
        />
      </form>
    </Dialog>
  );
}

/** Thrown when there is a secret that the gateway returns only after the password is given. */
export class PasswordRequiredError extends Error {
  override readonly name = 'PasswordRequiredError';
}

/** True when the server requires the password again before the action. */
export function isPasswordRequired(failure: unknown): boolean {
  return (
    failure instanceof PasswordRequiredError ||
    (failure instanceof ApiError && failure.code === 'PASSWORD_REQUIRED')
  );
}
