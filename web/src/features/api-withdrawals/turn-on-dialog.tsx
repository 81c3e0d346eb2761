import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { checkPin } from '../../session/pin-status.ts';
import { Button, Dialog, Notice } from '../../ui/index.ts';
import { noProof, ProofFields, type ProofProblems, proofProblems, refusedProof } from './proof-fields.tsx';
import type { Proof } from './use-api-withdrawals.ts';

type TurnOnDialogProps = {
  onClose: () => void;
  onProof: (proof: Proof) => Promise<unknown>;
};

/** Lets the API key withdraw, for password and PIN. */
export function TurnOnDialog({ onClose, onProof }: TurnOnDialogProps) {
  const [proof, setProof] = useState(noProof);
  const [problems, setProblems] = useState<ProofProblems>({});
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const form = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const found = proofProblems(proof);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      await onProof(proof);
      onClose();
    } catch (error) {
      const text = errorText(error, 'Erro ao ligar o saque pela API. Tente novamente.');
      const field = refusedProof(error);
      if (field === undefined) setFailure(text);
      else setProblems({ [field]: text });
      setProof({ ...proof, withdrawal_pin: '' });
      setSending(false);
      void checkPin();
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Ligar o saque pela API"
      size="small"
      locked={sending}
      footer={
        <>
          <Button onClick={onClose} disabled={sending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant="primary" sending={sending}>
            Ligar
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-5">
        <p className="text-muted">
          Quem tem a chave de API passa a poder sacar seu saldo, sem PIN, mas só para os destinos salvos aqui.
        </p>
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
        <ProofFields
          first
          proof={proof}
          onProof={(next) => {
            setProof(next);
            setProblems({});
          }}
          problems={problems}
        />
      </form>
    </Dialog>
  );
}
