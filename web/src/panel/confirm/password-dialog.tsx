import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, PasswordField } from '../../ui/index.ts';

type PasswordDialogProps = {
  open: boolean;
  onClose: () => void;
  /** Sends the password; the dialog closes on success and shows the error on failure. */
  onPassword: (password: string) => Promise<unknown>;
  /** Why the password is needed. */
  reason: string;
};

/** Asks for the password before actions that a session left open must not be enough for. */
export function PasswordDialog({ open, onClose, onPassword, reason }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const form = useId();
  const close = () => {
    setPassword('');
    setError(undefined);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (password === '') return setError('Informe a senha.');
    setSending(true);
    setError(undefined);
    try {
      await onPassword(password);
      close();
    } catch (failure) {
      setError(errorText(failure, 'Não foi possível confirmar a senha. Tente novamente.'));
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Confirme sua senha"
      size="small"
      locked={sending}
      footer={
        <>
          <Button onClick={close} disabled={sending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant="primary" sending={sending}>
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

/** The requested value exists, but is released only for the password. */
export class PasswordWanted extends Error {
  override readonly name = 'PasswordWanted';
}

/** True when the server requires the password again before the action. */
export function wantsPassword(failure: unknown): boolean {
  return (
    failure instanceof PasswordWanted || (failure instanceof ApiError && failure.code === 'PASSWORD_REQUIRED')
  );
}
