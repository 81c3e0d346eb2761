import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { canonicalKey, keyProblem } from '../../panel/pix-key/pix-key.ts';
import { noKey, PixKeyFields } from '../../panel/pix-key/pix-key-fields.tsx';
import { checkPin } from '../../session/pin-status.ts';
import { Button, Dialog, Notice, TextField } from '../../ui/index.ts';
import { noProof, ProofFields, type ProofProblems, proofProblems, refusedProof } from './proof-fields.tsx';
import type { NewDestination, Proof } from './use-api-withdrawals.ts';

type DestinationDialogProps = {
  onClose: () => void;
  onSave: (destination: NewDestination, proof: Proof) => Promise<unknown>;
};

type Problems = ProofProblems & { key?: string };

const LABEL_MAX_LENGTH = 60;

/** Saves a key that the API key may pay, for password and PIN. */
export function DestinationDialog({ onClose, onSave }: DestinationDialogProps) {
  const [key, setKey] = useState(noKey);
  const [label, setLabel] = useState('');
  const [proof, setProof] = useState(noProof);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const keyField = useRef<HTMLInputElement>(null);
  const form = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const wrongKey = keyProblem(key.type, key.text);
    const found = { ...(wrongKey !== undefined && { key: wrongKey }), ...proofProblems(proof) };
    setProblems(found);
    if (wrongKey !== undefined) keyField.current?.focus();
    const pixKey = canonicalKey(key.type, key.text);
    if (Object.keys(found).length > 0 || pixKey === null) return;
    setSending(true);
    try {
      await onSave({ pixKey, pix_key_type: key.type, label: label.trim() }, proof);
      onClose();
    } catch (error) {
      const text = errorText(error, 'Erro ao salvar o destino. Tente novamente.');
      const field = fieldOf(error);
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
      title="Adicionar destino"
      locked={sending}
      footer={
        <>
          <Button onClick={onClose} disabled={sending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant="primary" sending={sending}>
            Salvar destino
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-5">
        <p className="text-muted">
          A chave de API poderá sacar para este destino sem pedir o PIN. Confira a chave com calma.
        </p>
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
        <PixKeyFields
          ref={keyField}
          typed={key}
          onTyped={(next) => {
            setKey(next);
            setProblems({});
          }}
          error={problems.key}
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
        <ProofFields
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

function fieldOf(error: unknown): keyof Problems | undefined {
  if (error instanceof ApiError && error.code?.startsWith('PIX_KEY_')) return 'key';
  return refusedProof(error);
}
