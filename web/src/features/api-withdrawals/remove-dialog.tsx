import type { WithdrawalDestination } from '@jangada/contract';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { shownKey } from '../../panel/pix-key/pix-key.ts';
import { Button, Dialog, Notice } from '../../ui/index.ts';

type RemoveDialogProps = {
  destination: WithdrawalDestination;
  onClose: () => void;
  onRemove: () => Promise<unknown>;
};

/** Asks before a destination goes: the merchant's own system may be paying it. */
export function RemoveDialog({ destination, onClose, onRemove }: RemoveDialogProps) {
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const run = async () => {
    setSending(true);
    setError(undefined);
    try {
      await onRemove();
      onClose();
    } catch (failure) {
      setError(errorText(failure, 'Erro ao remover o destino. Tente novamente.'));
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Remover destino?"
      size="small"
      role="alertdialog"
      locked={sending}
      footer={
        <>
          <Button data-autofocus onClick={onClose} disabled={sending}>
            Cancelar
          </Button>
          <Button variant="solid-danger" sending={sending} onClick={run}>
            Remover destino
          </Button>
        </>
      }
    >
      <p className="text-muted">
        A API deixa de poder sacar para{' '}
        <span className="break-all text-base-content">
          {shownKey(destination.pix_key_type, destination.pix_key)}
        </span>{' '}
        na hora. Saques já pedidos seguem.
      </p>
      {error !== undefined && (
        <Notice tone="error" className="mt-4">
          {error}
        </Notice>
      )}
    </Dialog>
  );
}
