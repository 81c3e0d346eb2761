import { type AdminUserModel, staffReason } from '@jangada/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, Notice, TextArea, toast } from '../../ui/index.ts';
import { freezeUser, unfreezeUser } from './change-user.ts';

const REASON_MAX_LENGTH = 500;

type FreezeDialogProps = { user: AdminUserModel; onClose: () => void; onDone: () => void };

/** Stops an account at once, or lets it go on; either with a reason. */
export function FreezeDialog({ user, onClose, onDone }: FreezeDialogProps) {
  const frozen = user.frozenAt !== null;
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error: unfit } = staffReason.safeParse(reason);
    if (unfit !== undefined) {
      setProblem(unfit.issues[0]?.message);
      field.current?.focus();
      return;
    }
    setSending(true);
    setFailure(undefined);
    try {
      await (frozen ? unfreezeUser : freezeUser)(user.id, reason.trim());
      toast(frozen ? 'Usuário descongelado' : 'Usuário congelado');
      onDone();
    } catch (error) {
      setFailure(errorText(error, 'Erro ao atualizar usuário'));
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={frozen ? 'Descongelar usuário' : 'Congelar usuário'}
      locked={sending}
      footer={
        <>
          <Button disabled={sending} onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant={frozen ? 'primary' : 'solid-danger'} sending={sending}>
            {frozen ? 'Descongelar' : 'Congelar'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <p className="mb-4 text-muted">
          {frozen
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
      </form>
      {failure !== undefined && (
        <Notice tone="error" className="mt-4">
          {failure}
        </Notice>
      )}
    </Dialog>
  );
}
