import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { isInDoubt } from '../../api/intents.ts';
import { useSupports } from '../../api/provider.ts';
import { checkPin, definePin, type PinDefinition, usePin } from '../../session/pin-status.ts';
import { Button, Dialog, Notice, PasswordField, PinField } from '../../ui/index.ts';
import { toastUnlessLive } from '../toast-unless-live.ts';
import { fieldOfRefusal, type PinProblems, pinProblems, withdrawalLockout } from './pin-rules.ts';

const FAILURE = 'Erro ao definir PIN. Verifique sua senha atual.';
const emptyDefinition: PinDefinition = { currentPassword: '', newPin: '', confirmPin: '' };

/** Sets or changes the PIN that each withdrawal requires. After a change, says how long withdrawals are suspended. */
export function SetPinDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenDialog onClose={onClose} /> : null;
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const { status } = usePin();
  // The value at the time of opening is kept, because setting a PIN changes the status.
  const [isChange] = useState(status === 'set');
  const [isDone, setIsDone] = useState(false);
  if (isDone) return <PinChanged onClose={onClose} />;
  const finish = (areWithdrawalsStopped: boolean) => {
    if (areWithdrawalsStopped) return setIsDone(true);
    toastUnlessLive(isChange ? 'PIN de saque trocado' : 'PIN de saque definido');
    onClose();
  };
  return <PinForm isChange={isChange} onClose={onClose} onDefined={finish} />;
}

type PinFormProps = {
  /** True when a PIN is set already. */
  isChange: boolean;
  onClose: () => void;
  onDefined: (areWithdrawalsStopped: boolean) => void;
};

function PinForm({ isChange, onClose, onDefined }: PinFormProps) {
  // Only our own gateway, not another provider's, is known to suspend withdrawals after a change, and to refuse easily
  // guessed PINs.
  const hasPinRules = useSupports('pinRules');
  const [definition, setDefinition] = useState(emptyDefinition);
  const [problems, setProblems] = useState<PinProblems>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const [isOutcomeUnknown, setIsOutcomeUnknown] = useState(false);
  const form = useId();
  const changeFields = (changes: Partial<PinDefinition>) => {
    setDefinition({ ...definition, ...changes });
    setProblems({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const newProblems = pinProblems(definition);
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return;
    setIsSending(true);
    try {
      const { lockedUntil, heldUntil } = await definePin(definition);
      onDefined(lockedUntil !== null || heldUntil !== null);
    } catch (error) {
      setIsOutcomeUnknown(isInDoubt(error));
      const text = isInDoubt(error) ? unknownOutcomeText(isChange) : errorText(error, FAILURE);
      const field = error instanceof ApiError ? fieldOfRefusal(error.code) : undefined;
      if (field === undefined) setFailure(text);
      else setProblems({ [field]: text });
      setIsSending(false);
    }
  };
  const close = () => {
    onClose();
    if (isOutcomeUnknown) void checkPin();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={isChange ? 'Trocar PIN de saque' : 'Definir PIN de saque'}
      size="small"
      locked={isSending}
      footer={
        <>
          <Button onClick={close} disabled={isSending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant="primary" isSending={isSending}>
            {isChange ? 'Trocar PIN' : 'Definir PIN'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <p className="text-muted">{introduction(hasPinRules, isChange)}</p>
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
        <PinFields definition={definition} onChange={changeFields} problems={problems} />
      </form>
    </Dialog>
  );
}

function introduction(hasPinRules: boolean, isChange: boolean): string {
  if (!hasPinRules) return 'São 4 dígitos, pedidos a cada saque.';
  return isChange
    ? 'Por segurança, depois da troca os saques ficam suspensos por 24 horas. Um bloqueio por PIN errado continua até o fim.'
    : 'São 4 dígitos, pedidos a cada saque. Sequências e dígitos repetidos não são aceitos.';
}

/** The message when the outcome is unknown. Trying again is safe: the gateway accepts a PIN that is already set. */
function unknownOutcomeText(isChange: boolean): string {
  const done = isChange ? 'trocado' : 'definido';
  return `Não sabemos se o PIN foi ${done}. Tente de novo com o mesmo PIN: se ele já vale, nada muda.`;
}

type PinFieldsProps = {
  definition: PinDefinition;
  onChange: (changes: Partial<PinDefinition>) => void;
  problems: PinProblems;
};

function PinFields({ definition, onChange, problems }: PinFieldsProps) {
  return (
    <>
      <PasswordField
        label="Senha atual"
        data-autofocus
        value={definition.currentPassword}
        onChange={(event) => onChange({ currentPassword: event.currentTarget.value })}
        error={problems.currentPassword}
      />
      <PinField
        label="Novo PIN"
        name="new_pin"
        value={definition.newPin}
        onValue={(newPin) => onChange({ newPin })}
        error={problems.newPin}
      />
      <PinField
        label="Confirmar PIN"
        name="confirm_pin"
        value={definition.confirmPin}
        onValue={(confirmPin) => onChange({ confirmPin })}
        error={problems.confirmPin}
      />
    </>
  );
}

/**
 * Says how long withdrawals are suspended after the change. This is a dialog, because a toast would disappear too soon.
 */
function PinChanged({ onClose }: { onClose: () => void }) {
  const lockout = withdrawalLockout(usePin());
  return (
    <Dialog
      open
      onClose={onClose}
      title="PIN de saque trocado"
      size="small"
      footer={
        <Button variant="primary" data-autofocus onClick={onClose}>
          OK
        </Button>
      }
    >
      <p className="font-medium">{lockout?.title}</p>
      <p className="mt-1 text-muted">{lockout?.why}</p>
    </Dialog>
  );
}
