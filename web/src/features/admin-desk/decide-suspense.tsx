import { adminAssignSuspense, adminReturnSuspense, TWO_ADMINISTRATORS_CENTS } from '@jangada/contract';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { formatMoney } from '../../format/money.ts';
import { centsOf } from './desk-queries.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import type { SuspensePix } from './suspense-words.ts';
import { type PickedUser, UserPicker } from './user-picker.tsx';

const PROPOSED = 'Proposta registrada. Outro administrador precisa confirmar.';
const reason = { label: 'Motivo', most: 300, missing: 'Informe o motivo.' };

type AssignDialogProps = {
  pix: SuspensePix;
  /** Whom another administrator proposed: then it is confirmed. */
  agreed?: PickedUser;
  onClose: () => void;
};

/** Gives it to a merchant, as a payment. */
export function AssignDialog({ pix, agreed, onClose }: AssignDialogProps) {
  const [picked, setPicked] = useState<PickedUser | null>(agreed ?? null);
  const [error, setError] = useState<string>();
  const after = useRef<SuspensePix>(undefined);
  return (
    <ReasonDialog
      {...reason}
      title={agreed === undefined ? 'Atribuir Pix a um lojista' : 'Confirmar atribuição'}
      action={agreed === undefined ? 'Atribuir' : 'Confirmar'}
      ready={() => {
        setError(picked === null ? 'Escolha o lojista.' : undefined);
        return picked !== null;
      }}
      onSend={async (text) => {
        const params = { endToEndId: pix.end_to_end_id };
        const body = { userId: picked?.id ?? '', reason: text };
        after.current = await call(adminAssignSuspense, { params, body });
      }}
      done={() => (after.current?.status === 'assigned' ? `Pix atribuído a ${picked?.name}.` : PROPOSED)}
      failure="Erro ao atribuir o Pix. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(centsOf(pix.amount))} entram como pagamento, com as tarifas e a reserva de agora
        {agreed === undefined ? '' : `, no saldo de ${agreed.name}`}.{' '}
        {agreed === undefined && <Second pix={pix} />}
      </p>
      {agreed === undefined && (
        <UserPicker
          picked={picked}
          error={error}
          onPick={(user) => {
            setPicked(user);
            setError(undefined);
          }}
        />
      )}
    </ReasonDialog>
  );
}

/** Gives it back to whoever paid; of a proposed return this is the confirmation. */
export function ReturnDialog({ pix, onClose }: { pix: SuspensePix; onClose: () => void }) {
  const after = useRef<SuspensePix>(undefined);
  return (
    <ReasonDialog
      {...reason}
      title="Devolver a quem pagou?"
      action="Devolver"
      grave
      onSend={async (text) => {
        const params = { endToEndId: pix.end_to_end_id };
        after.current = await call(adminReturnSuspense, { params, body: { reason: text } });
      }}
      done={() => (after.current?.status === 'suspense' ? PROPOSED : 'Devolução a caminho.')}
      failure="Erro ao devolver o Pix. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {formatMoney(centsOf(pix.amount))} voltam para a conta de onde vieram. Não pode ser desfeito.{' '}
        <Second pix={pix} />
      </p>
    </ReasonDialog>
  );
}

function Second({ pix }: { pix: SuspensePix }) {
  if (centsOf(pix.amount) <= TWO_ADMINISTRATORS_CENTS) return null;
  return `Acima de ${formatMoney(TWO_ADMINISTRATORS_CENTS)}, outro administrador precisa confirmar.`;
}
