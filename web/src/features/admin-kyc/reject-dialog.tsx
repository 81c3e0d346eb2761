import type { PendingKycModel } from '@jangada/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button, Dialog, Notice, TextArea } from '../../ui/index.ts';
import type { KycDecisionActions } from './use-decision.ts';

const REASON_MAX_LENGTH = 500;

type RejectDialogProps = { pending: PendingKycModel; decision: KycDecisionActions; onClose: () => void };

/** Asks for the reason of a rejection, which the account's holder will read, and rejects the verification. */
export function RejectDialog({ pending, decision, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useId();
  const { decisionInProgress, failure } = decision;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') {
      setProblem('Informe o motivo da rejeição.');
      field.current?.focus();
      return;
    }
    void decision.reject(pending, reason.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rejeitar verificação"
      locked={decisionInProgress !== undefined}
      footer={
        <>
          <Button disabled={decisionInProgress !== undefined} onClick={onClose}>
            Cancelar
          </Button>
          <Button
            type="submit"
            form={form}
            variant="solid-danger"
            isSending={decisionInProgress === 'reject'}
          >
            Rejeitar
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <p className="mb-4 text-muted">{pending.name} lê este motivo e pode enviar os documentos de novo.</p>
        <TextArea
          ref={field}
          data-autofocus
          label="Motivo da rejeição"
          name="reason"
          rows={4}
          required
          maxLength={REASON_MAX_LENGTH}
          placeholder="A foto do verso está cortada."
          value={reason}
          error={problem}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
      </form>
      {failure !== undefined && (
        <Notice tone="error" className="mt-4">
          {failure}
        </Notice>
      )}
    </Dialog>
  );
}
