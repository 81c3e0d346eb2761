import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { ProofFields } from './proof-fields.tsx';
import type { Proof } from './use-api-withdrawals.ts';
import { useProof } from './use-proof.ts';

type TurnOnDialogProps = {
  onClose: () => void;
  onProof: (proof: Proof) => Promise<unknown>;
};

const FAILURE = 'Erro ao ligar o saque pela API. Tente novamente.';

/** Lets the API key withdraw, for password and PIN. */
export function TurnOnDialog({ onClose, onProof }: TurnOnDialogProps) {
  const { fields, send } = useProof(FAILURE);
  return (
    <FormDialog
      title="Ligar o saque pela API"
      submit="Ligar"
      failure={FAILURE}
      onClose={onClose}
      onSubmit={() => send(onProof)}
    >
      <p className="text-muted">
        Quem tem a chave de API passa a poder sacar seu saldo, sem PIN, mas só para os destinos salvos aqui.
      </p>
      <ProofFields first {...fields} />
    </FormDialog>
  );
}
