import { KEY_ROTATION_HOURS, type ScopedKey } from '@jangada/contract';
import { useState } from 'react';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { SelectField } from '../../ui/index.ts';

/** The choices for how many hours the old key stays valid beside the new one. */
const overlapOptions = [
  { value: '0', label: 'Deixa de valer agora' },
  { value: '1', label: '1 hora' },
  { value: String(KEY_ROTATION_HOURS.default), label: '24 horas' },
  { value: '72', label: '3 dias' },
  { value: String(KEY_ROTATION_HOURS.max), label: '7 dias' },
];

type RotateKeyDialogProps = {
  scopedKey: ScopedKey;
  onClose: () => void;
  onRotate: (overlapHours: number) => Promise<unknown>;
};

/**
 * Replaces a scoped key, the API key of one system of the merchant, after asking how long the old key stays valid
 * beside the new one.
 */
export function RotateKeyDialog({ scopedKey, onClose, onRotate }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState(String(KEY_ROTATION_HOURS.default));
  const submit = async () => {
    await onRotate(Number(overlap));
    // False keeps this dialog open until the parent replaces it with the dialog that shows the new key.
    return false;
  };
  return (
    <FormDialog
      title="Trocar chave"
      submit="Trocar chave"
      failure="Erro ao trocar a chave. Tente novamente."
      inDoubtMessage="Não sabemos se a chave foi trocada. Confira a lista antes de tentar de novo."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        <strong className="font-medium wrap-anywhere text-base-content">{scopedKey.name}</strong> recebe uma
        chave nova, com os mesmos escopos e endereços.{' '}
        {scopedKey.status !== 'expired' &&
          'As duas valem juntas pelo prazo abaixo, para o sistema passar de uma à outra sem parar.'}
      </p>
      {scopedKey.status !== 'expired' && (
        <SelectField
          label="A chave atual vale ainda por"
          options={overlapOptions}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
