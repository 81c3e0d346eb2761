import { addPasskey, beginPasskey } from '@jangada/contract';
import { useState } from 'react';
import { InvalidResponseError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { createPasskey, passkeyProblem } from '../../panel/factor/given-factor.ts';
import { TextField } from '../../ui/index.ts';
import { deviceLabel } from './sessions-section.tsx';

const FAILED = 'A chave de acesso não foi criada. Tente de novo.';

type PasskeyDialogProps = {
  onClose: () => void;
  withPassword: <Result>(action: () => Promise<Result>) => Promise<Result>;
  /**
   * Called once the factor is active: with the recovery codes if it is the account's first factor, otherwise with null.
   */
  onAdded: (codes: readonly string[] | null) => void;
};

/** Asks for the name of a new passkey, and creates the passkey on this device. */
export function PasskeyDialog({ onClose, withPassword, onAdded }: PasskeyDialogProps) {
  const [name, setName] = useState(() => deviceLabel(navigator.userAgent));
  const [isNameMissing, setIsNameMissing] = useState(false);
  const submit = async () => {
    setIsNameMissing(name.trim() === '');
    if (name.trim() === '') return false;
    const { challenge, options } = await withPassword(() => call(beginPasskey, { body: {} }));
    const credential = await createCredential(options);
    const { recovery_codes } = await call(addPasskey, {
      body: { challenge, credential, name: name.trim() },
    });
    onAdded(recovery_codes);
    // `onAdded` has already closed this dialog or replaced it with the recovery codes, so the form need not close it.
    return false;
  };
  return (
    <FormDialog
      title="Adicionar chave de acesso"
      submit="Continuar"
      failure={FAILED}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        Este aparelho, ou o gerenciador de senhas dele, guarda a chave e a abre com a digital, o rosto ou o
        PIN. Nós nunca a recebemos.
      </p>
      <TextField
        label="Nome da chave"
        hint="Para você a reconhecer depois"
        maxLength={60}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isNameMissing ? 'Dê um nome à chave.' : undefined}
      />
    </FormDialog>
  );
}

async function createCredential(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  try {
    return await createPasskey(options);
  } catch (error) {
    // The browser's own messages are not meant for users.
    throw new InvalidResponseError(passkeyProblem(error, FAILED));
  }
}
