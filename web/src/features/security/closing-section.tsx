import { cancelClosingRequest, requestClosing } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { toastUnlessLive } from '../../panel/toast-unless-live.ts';
import { Button, PasswordField, SectionHeader, TextArea, toastError } from '../../ui/index.ts';
import { passwordMissingProblem, wrongPasswordProblem } from './password-problems.ts';
import { refetchSecurity } from './use-security.ts';

/**
 * The section in which the user requests that the account be closed, or cancels the request while no administrator has
 * carried it out.
 */
export function ClosingSection({ requestedAt }: { requestedAt: string | null }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [isCancellingRequest, setIsCancellingRequest] = useState(false);
  const cancelRequest = async () => {
    setIsCancellingRequest(true);
    try {
      await call(cancelClosingRequest, {});
      await refetchSecurity();
      toastUnlessLive('Sua conta continua aberta');
    } catch (error) {
      toastError(errorText(error, 'Não foi possível desistir. Tente novamente.'));
    } finally {
      setIsCancellingRequest(false);
    }
  };
  return (
    <section aria-labelledby="closing">
      <SectionHeader id="closing" title="Encerrar a conta" />
      {requestedAt === null ? (
        <>
          <p className="mt-1 text-muted">
            Saque o que for seu antes. Um administrador conclui o pedido quando não houver dinheiro na conta.
          </p>
          <Button variant="danger" className="mt-4" onClick={() => setIsDialogOpen(true)}>
            Pedir encerramento
          </Button>
        </>
      ) : (
        <>
          <p className="mt-1">Encerramento pedido em {formatDateAtTime(requestedAt)}.</p>
          <p className="mt-1 text-muted">
            Um administrador o conclui quando não houver dinheiro na conta. Até lá você pode desistir.
          </p>
          <Button className="mt-4" isSending={isCancellingRequest} onClick={cancelRequest}>
            Desistir do encerramento
          </Button>
        </>
      )}
      {isDialogOpen && <ClosingDialog onClose={() => setIsDialogOpen(false)} />}
    </section>
  );
}

function ClosingDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState<{ password?: string }>({});
  const submit = async () => {
    const newProblems = passwordMissingProblem(password);
    setProblems(newProblems);
    if (newProblems.password !== undefined) return false;
    try {
      await call(requestClosing, {
        body: { password, ...(reason.trim() !== '' && { reason: reason.trim() }) },
      });
    } catch (error) {
      setProblems(wrongPasswordProblem(error));
      return false;
    }
    await refetchSecurity();
    toastUnlessLive('Encerramento pedido');
    return true;
  };
  return (
    <FormDialog
      title="Pedir o encerramento da conta?"
      submit="Pedir encerramento"
      danger
      failure="Não foi possível pedir o encerramento. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        Depois de encerrada, a conta não abre mais. O que a lei manda guardar, como os pagamentos, continua
        guardado pelo prazo dela.
      </p>
      <TextArea
        label="Por quê? (se quiser dizer)"
        rows={3}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <PasswordField
        label="Senha"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problems.password}
      />
    </FormDialog>
  );
}
