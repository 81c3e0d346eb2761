import { brlFromCents, centsFromText, type WithdrawalDestination } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { formatDate } from '../../format/date.ts';
import { approvalPolicyQuery } from '../../panel/approvals/approvals-queries.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { type PasswordAndPin, ProofFields, useOwnerProof } from '../../panel/confirm/owner-proof.tsx';
import { canonicalKey, displayPixKey, keyProblem, keyTypeName } from '../../panel/pix-key/pix-key.ts';
import { emptyPixKey, PixKeyFields } from '../../panel/pix-key/pix-key-fields.tsx';
import { IconButton, MoneyField, TextField } from '../../ui/index.ts';
import type { NewDestination } from './use-api-withdrawals.ts';

type DestinationsProps = {
  destinations: readonly WithdrawalDestination[];
  /** Absent for a role that only reads. */
  onRemove: ((destination: WithdrawalDestination) => void) | undefined;
};

/** The list of Pix keys to which the API key may withdraw, shown in full so that the merchant can check them. */
export function Destinations({ destinations, onRemove }: DestinationsProps) {
  return (
    <ul aria-label="Destinos salvos" className="mt-2 divide-y divide-base-300 border-y border-base-300">
      {destinations.map((destination) => {
        const { pix_key, pix_key_type, label, created_at } = destination;
        return (
          <li key={pix_key} className="flex items-center gap-4 py-3">
            <div className="min-w-0 grow">
              {label !== '' && <p className="font-medium wrap-anywhere">{label}</p>}
              <p className={label === '' ? 'font-medium break-all' : 'break-all'}>
                {displayPixKey(pix_key_type, pix_key)}
              </p>
              <p className="text-xs text-muted">
                {keyTypeName(pix_key_type)} · salvo em {formatDate(created_at)}
              </p>
            </div>
            {onRemove && (
              <IconButton
                label={`Remover ${displayPixKey(pix_key_type, pix_key)}`}
                className="-mr-2.5 text-muted"
                icon={<Trash2 className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
                onClick={() => onRemove(destination)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

type DestinationDialogProps = {
  onClose: () => void;
  onSave: (destination: NewDestination, proof: PasswordAndPin) => Promise<unknown>;
};

const LABEL_MAX_LENGTH = 60;
const FAILURE = 'Erro ao salvar o destino. Tente novamente.';

/** Asks for a Pix key, the password and the PIN, and saves the Pix key as a destination of withdrawals by API key. */
export function DestinationDialog({ onClose, onSave }: DestinationDialogProps) {
  const [typedKey, setTypedKey] = useState(emptyPixKey);
  const [label, setLabel] = useState('');
  const [limitCents, setLimitCents] = useState<number | null>(null);
  const needsApproval = useNeedsApproval();
  const [keyError, setKeyError] = useState<string>();
  const { fields, send } = useOwnerProof(FAILURE);
  const submit = async () => {
    setKeyError(keyProblem(typedKey.type, typedKey.text));
    const pixKey = canonicalKey(typedKey.type, typedKey.text) ?? '';
    const isKeyValid = pixKey !== '';
    const destination = {
      pixKey,
      pix_key_type: typedKey.type,
      label: label.trim(),
      ...(needsApproval && { day_limit: brlFromCents(limitCents ?? 0) }),
    };
    try {
      return await send((proof) => onSave(destination, proof), isKeyValid);
    } catch (error) {
      const isKeyRefused = error instanceof ApiError && error.code?.startsWith('PIX_KEY_');
      if (!isKeyRefused) throw error;
      setKeyError(errorText(error, FAILURE));
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
        {needsApproval && ' Um destino novo, ou um limite maior, precisa da aprovação de outra pessoa.'}
      </p>
      <PixKeyFields
        typed={typedKey}
        onTyped={(newKey) => {
          setTypedKey(newKey);
          setKeyError(undefined);
        }}
        error={keyError}
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
      {needsApproval && (
        <MoneyField
          label="Limite por dia sem aprovação"
          hint="Até aqui, o que a API saca para este destino sai sozinho. Com R$ 0,00, vale a política da conta."
          size="normal"
          cents={limitCents}
          readAmount={centsFromText}
          onCents={setLimitCents}
        />
      )}
      <ProofFields {...fields} />
    </FormDialog>
  );
}

/** Whether the account has an approval policy. */
function useNeedsApproval(): boolean {
  const mayHavePolicy = useQuery(profileQuery).data?.approvalsWaiting !== undefined;
  const policy = useQuery({ ...approvalPolicyQuery('account'), enabled: mayHavePolicy });
  return policy.data?.policy.enabled ?? false;
}

type RemoveDialogProps = {
  destination: WithdrawalDestination;
  onClose: () => void;
  onRemove: () => Promise<unknown>;
};

/** Asks for a confirmation before a destination is removed, because the merchant's system may still withdraw to it. */
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
        {displayPixKey(destination.pix_key_type, destination.pix_key)}
      </span>{' '}
      na hora. Saques já pedidos seguem.
    </ConfirmDialog>
  );
}
