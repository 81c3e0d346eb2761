import { type AdminUserModel, staffReason } from '@jangada/contract';
import { useRef, useState } from 'react';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { TextArea, toast } from '../../ui/index.ts';
import { freezeUser, unfreezeUser } from './use-user-form.ts';

const REASON_MAX_LENGTH = 500;

type FreezeDialogProps = { user: AdminUserModel; onClose: () => void; onDone: () => void };

/**
 * Freezes an account, which can then no longer sign in, charge or withdraw, or unfreezes a frozen one. The reason goes
 * into the audit log.
 */
export function FreezeDialog({ user, onClose, onDone }: FreezeDialogProps) {
  const isFrozen = user.frozenAt !== null;
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = async () => {
    const { error: validationError } = staffReason.safeParse(reason);
    if (validationError !== undefined) {
      setProblem(validationError.issues[0]?.message);
      field.current?.focus();
      return false;
    }
    const freezeOrUnfreeze = isFrozen ? unfreezeUser : freezeUser;
    await freezeOrUnfreeze(user.id, reason.trim());
    toast(isFrozen ? 'Usuário descongelado' : 'Usuário congelado');
    onDone();
    return true;
  };
  return (
    <FormDialog
      title={isFrozen ? 'Descongelar usuário' : 'Congelar usuário'}
      submit={isFrozen ? 'Descongelar' : 'Congelar'}
      danger={!isFrozen}
      size="normal"
      failure="Erro ao atualizar usuário"
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        {isFrozen
          ? `${user.name} volta a entrar, a cobrar e a sacar.`
          : `Sessões, chave de API e saques na fila de ${user.name} param na hora. Pix de cobranças já abertas continuam entrando no saldo.`}
      </p>
      <TextArea
        ref={field}
        data-autofocus
        label="Motivo"
        name="reason"
        rows={3}
        required
        maxLength={REASON_MAX_LENGTH}
        hint="Fica no registro de auditoria."
        value={reason}
        error={problem}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}
