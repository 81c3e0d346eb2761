import type { WithdrawalDestination } from '@jangada/contract';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { shownKey } from '../../panel/pix-key/pix-key.ts';

type RemoveDialogProps = {
  destination: WithdrawalDestination;
  onClose: () => void;
  onRemove: () => Promise<unknown>;
};

/** Asks before a destination goes: the merchant's own system may be paying it. */
export function RemoveDialog({ destination, onClose, onRemove }: RemoveDialogProps) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Remover destino?"
      confirm="Remover destino"
      onConfirm={onRemove}
      failure="Erro ao remover o destino. Tente novamente."
    >
      A API deixa de poder sacar para{' '}
      <span className="break-all text-base-content">
        {shownKey(destination.pix_key_type, destination.pix_key)}
      </span>{' '}
      na hora. Saques já pedidos seguem.
    </ConfirmDialog>
  );
}
