import { changeEmail, errors, newEmail } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { profileQuery, settingsQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { toastUnlessLive } from '../../panel/toast-unless-live.ts';
import { PasswordField, TextField, toast } from '../../ui/index.ts';
import { passwordMissingProblem, wrongPasswordProblem } from './password-problems.ts';
import { refetchSecurity } from './use-security.ts';

type Fields = { email: string; password: string };

export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const [fields, setFields] = useState<Fields>({ email: '', password: '' });
  const [problems, setProblems] = useState<Partial<Fields>>({});
  // A new e-mail address must be confirmed through a link. Where the gateway sends no e-mail, the address changes
  // immediately.
  const isLinkNeeded = useQuery(settingsQuery).data?.mail ?? true;
  const submit = async () => {
    const emailProblem = newEmail.safeParse(fields.email).error?.issues[0]?.message;
    const newProblems = {
      ...(emailProblem !== undefined && { email: emailProblem }),
      ...passwordMissingProblem(fields.password),
    };
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    try {
      const { pending } = await call(changeEmail, { body: fields });
      if (pending) toast('Link enviado ao novo e-mail');
      else toastUnlessLive('E-mail trocado');
    } catch (error) {
      setProblems(emailTakenProblem(error) ?? wrongPasswordProblem(error));
      return false;
    }
    await Promise.all([queryClient.invalidateQueries(profileQuery), refetchSecurity()]);
    return true;
  };
  return (
    <FormDialog
      title="Trocar e-mail"
      submit="Trocar e-mail"
      failure="Não foi possível trocar o e-mail. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        {isLinkNeeded && 'O novo endereço vale quando o link que enviamos para lá for aberto. '}
        Depois da troca os saques ficam suspensos por 24 horas.
      </p>
      <TextField
        label="Novo e-mail"
        type="email"
        autoComplete="email"
        data-autofocus
        value={fields.email}
        onChange={(event) => setFields({ ...fields, email: event.currentTarget.value })}
        error={problems.email}
      />
      <PasswordField
        label="Senha"
        value={fields.password}
        onChange={(event) => setFields({ ...fields, password: event.currentTarget.value })}
        error={problems.password}
      />
    </FormDialog>
  );
}

function emailTakenProblem(error: unknown): { email: string } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'EMAIL_TAKEN') return undefined;
  return { email: error.serverMessage ?? errors.EMAIL_TAKEN.message };
}
