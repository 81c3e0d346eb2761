import { changePassword } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { newPasswordProblems } from '../../panel/password/new-password-problems.ts';
import { toastUnlessLive } from '../../panel/toast-unless-live.ts';
import { PasswordField } from '../../ui/index.ts';
import { refetchSecurity } from './use-security.ts';

type Fields = { current: string; password: string; confirmation: string };

const passwordFields = [
  { field: 'current', label: 'Senha atual', autoComplete: 'current-password' },
  { field: 'password', label: 'Nova senha', autoComplete: 'new-password', hint: 'Mínimo de 8 caracteres' },
  { field: 'confirmation', label: 'Confirmar senha', autoComplete: 'new-password' },
] as const;

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const [fields, setFields] = useState<Fields>({ current: '', password: '', confirmation: '' });
  const [problems, setProblems] = useState<Partial<Fields>>({});
  const submit = async () => {
    const newProblems = {
      ...(fields.current === '' && { current: 'Senha atual é obrigatória' }),
      ...newPasswordProblems(fields),
    };
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    try {
      await call(changePassword, {
        body: { current_password: fields.current, new_password: fields.password },
      });
    } catch (error) {
      setProblems(problemOf(error));
      return false;
    }
    await refetchSecurity();
    toastUnlessLive('Senha trocada');
    return true;
  };
  return (
    <FormDialog
      title="Trocar senha"
      submit="Trocar senha"
      failure="Não foi possível trocar a senha. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">As suas outras sessões serão encerradas.</p>
      {passwordFields.map(({ field, ...fieldProps }) => (
        <PasswordField
          key={field}
          {...fieldProps}
          data-autofocus={field === 'current' || undefined}
          maxLength={256}
          value={fields[field]}
          onChange={(event) => setFields({ ...fields, [field]: event.currentTarget.value })}
          error={problems[field]}
        />
      ))}
    </FormDialog>
  );
}

/** The error for the field of the password that the gateway refused; any other error is thrown again. */
function problemOf(error: unknown): Partial<Fields> {
  if (!(error instanceof ApiError) || error.serverMessage === null) throw error;
  if (error.code === 'PASSWORD_WRONG') return { current: error.serverMessage };
  if (error.code === 'PASSWORD_COMMON') return { password: error.serverMessage };
  throw error;
}
