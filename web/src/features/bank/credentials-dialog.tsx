import type { BankConnection, ConnectableBank } from '@jangada/contract';
import { useState } from 'react';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { ProofFields, useOwnerProof } from '../../panel/confirm/owner-proof.tsx';
import { TextField } from '../../ui/index.ts';
import { connectionActions } from './bank-queries.ts';
import {
  type CredentialsDraft,
  type CredentialsProblems,
  credentialsProblems,
  emptyDraft,
  refusedFieldOf,
  replacingCredentialsOf,
} from './credentials-draft.ts';
import { CredentialsFields } from './credentials-fields.tsx';

const FAILURE = 'Erro ao alterar as credenciais. Tente novamente.';

type CredentialsDialogProps = {
  connection: BankConnection;
  bank: ConnectableBank;
  hasPin: boolean;
  onClose: () => void;
};

/** Takes new credentials for an account. Their check is then shown on the page of the account. */
export function CredentialsDialog({ connection, bank, hasPin, onClose }: CredentialsDialogProps) {
  const isDraft = connection.state === 'draft';
  const [draft, setDraft] = useState<CredentialsDraft>({
    ...emptyDraft,
    pix_key: isDraft ? connection.pix_key : '',
  });
  const [problems, setProblems] = useState<CredentialsProblems>({});
  const { fields, send } = useOwnerProof(FAILURE, hasPin);
  const change = (changed: Partial<CredentialsDraft>) => {
    setDraft((previous) => ({ ...previous, ...changed }));
    setProblems((previous) =>
      Object.fromEntries(Object.entries(previous).filter(([field]) => !(field in changed))),
    );
  };
  const submit = async () => {
    const found = credentialsProblems(draft, bank);
    setProblems(found);
    try {
      return await send(
        (proof) =>
          connectionActions.replaceCredentials(connection.id, replacingCredentialsOf(draft, bank), proof),
        Object.keys(found).length === 0,
      );
    } catch (error) {
      const refused = refusedFieldOf(error, FAILURE);
      if (refused === undefined) throw error;
      setProblems(refused);
      return false;
    }
  };
  return (
    <FormDialog
      title="Alterar credenciais"
      submit="Enviar e verificar"
      size="normal"
      failure={FAILURE}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        {isDraft
          ? 'As novas credenciais são verificadas no banco assim que chegam.'
          : 'As credenciais atuais continuam valendo até a verificação das novas passar.'}
      </p>
      {isDraft && (
        <TextField
          label="Chave Pix da conta"
          name="pix_key"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.pix_key}
          error={problems.pix_key}
          onChange={(event) => change({ pix_key: event.currentTarget.value })}
        />
      )}
      <CredentialsFields isFirst bank={bank} draft={draft} problems={problems} onChange={change} />
      <ProofFields {...fields} />
    </FormDialog>
  );
}
