import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { canonicalKey, keyProblem } from '../../panel/pix-key/pix-key.ts';
import { noKey, PixKeyFields } from '../../panel/pix-key/pix-key-fields.tsx';
import { TextField } from '../../ui/index.ts';
import { ProofFields } from './proof-fields.tsx';
import type { NewDestination, Proof } from './use-api-withdrawals.ts';
import { useProof } from './use-proof.ts';

type DestinationDialogProps = {
  onClose: () => void;
  onSave: (destination: NewDestination, proof: Proof) => Promise<unknown>;
};

const LABEL_MAX_LENGTH = 60;
const FAILURE = 'Erro ao salvar o destino. Tente novamente.';

/** Saves a key that the API key may pay, for password and PIN. */
export function DestinationDialog({ onClose, onSave }: DestinationDialogProps) {
  const [key, setKey] = useState(noKey);
  const [label, setLabel] = useState('');
  const [wrongKey, setWrongKey] = useState<string>();
  const { fields, send } = useProof(FAILURE);
  const submit = async () => {
    setWrongKey(keyProblem(key.type, key.text));
    const pixKey = canonicalKey(key.type, key.text) ?? '';
    const destination = { pixKey, pix_key_type: key.type, label: label.trim() };
    try {
      return await send((proof) => onSave(destination, proof), pixKey !== '');
    } catch (error) {
      if (!(error instanceof ApiError && error.code?.startsWith('PIX_KEY_'))) throw error;
      setWrongKey(errorText(error, FAILURE));
      return false;
    }
  };
  return (
    <FormDialog
      title="Adicionar destino"
      submit="Salvar destino"
      size="normal"
      failure={FAILURE}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        A chave de API poderá sacar para este destino sem pedir o PIN. Confira a chave com calma.
      </p>
      <PixKeyFields
        typed={key}
        onTyped={(next) => {
          setKey(next);
          setWrongKey(undefined);
        }}
        error={wrongKey}
      />
      <TextField
        label="Nome (opcional)"
        name="label"
        maxLength={LABEL_MAX_LENGTH}
        placeholder="Conta da empresa"
        autoComplete="off"
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <ProofFields {...fields} />
    </FormDialog>
  );
}
