import { accountName, changeName } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { PasswordField, TextField, toast } from '../../ui/index.ts';
import { passwordMissingProblem, wrongPasswordProblem } from './password-problems.ts';

type Fields = { name: string; password: string };

export function ChangeNameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [fields, setFields] = useState<Fields>({ name, password: '' });
  const [problems, setProblems] = useState<Partial<Fields>>({});
  const submit = async () => {
    const nameProblem = accountName.safeParse(fields.name).error?.issues[0]?.message;
    const newProblems = {
      ...(nameProblem !== undefined && { name: nameProblem }),
      ...passwordMissingProblem(fields.password),
    };
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    try {
      await call(changeName, { body: fields });
    } catch (error) {
      setProblems(wrongPasswordProblem(error));
      return false;
    }
    await queryClient.invalidateQueries(profileQuery);
    toast('Nome trocado');
    return true;
  };
  return (
    <FormDialog
      title="Trocar nome"
      submit="Trocar nome"
      failure="Não foi possível trocar o nome. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label="Nome completo"
        autoComplete="name"
        data-autofocus
        value={fields.name}
        onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
        error={problems.name}
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
