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
const empty: PinDefinition = { currentPassword: '', newPin: '', confirmPin: '' };

/** Sets or changes the withdrawal PIN; after a change it says how long withdrawals are held. */
export function SetPinDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenDialog onClose={onClose} /> : null;
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const { status } = usePin();
  // The status when the dialog opened; setting a PIN changes it.
  const [changing] = useState(status === 'set');
  const [done, setDone] = useState(false);
  if (done) return <PinChanged onClose={onClose} />;
  const defined = (stopped: boolean) => {
    if (stopped) return setDone(true);
    toastUnlessLive(changing ? 'PIN de saque trocado' : 'PIN de saque definido');
    onClose();
  };
  return <PinForm changing={changing} onClose={onClose} onDefined={defined} />;
}

type PinFormProps = { changing: boolean; onClose: () => void; onDefined: (stopped: boolean) => void };

function PinForm({ changing, onClose, onDefined }: PinFormProps) {
  const hasPinRules = useSupports('pinRules');
  const [definition, setDefinition] = useState(empty);
  const [problems, setProblems] = useState<PinProblems>({});
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const [inDoubt, setInDoubt] = useState(false);
  const form = useId();
  const change = (part: PinProblems) => {
    setDefinition({ ...definition, ...part });
    setProblems({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const found = pinProblems(definition);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      const { lockedUntil, heldUntil } = await definePin(definition);
      onDefined(lockedUntil !== null || heldUntil !== null);
    } catch (error) {
      setInDoubt(isInDoubt(error));
      const text = isInDoubt(error) ? doubtOf(changing) : errorText(error, FAILURE);
      const field = error instanceof ApiError ? fieldOfRefusal(error.code) : undefined;
      if (field === undefined) setFailure(text);
      else setProblems({ [field]: text });
      setSending(false);
    }
  };
  const close = () => {
    onClose();
    if (inDoubt) void checkPin();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={changing ? 'Trocar PIN de saque' : 'Definir PIN de saque'}
      size="small"
      locked={sending}
      footer={
        <>
          <Button onClick={close} disabled={sending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant="primary" sending={sending}>
            {changing ? 'Trocar PIN' : 'Definir PIN'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        <p className="text-muted">
          {!hasPinRules
            ? 'São 4 dígitos, pedidos a cada saque.'
            : changing
              ? 'Por segurança, depois da troca os saques ficam suspensos por 24 horas. Um bloqueio por PIN errado continua até o fim.'
              : 'São 4 dígitos, pedidos a cada saque. Sequências e dígitos repetidos não são aceitos.'}
        </p>
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
        <PinFields definition={definition} onChange={change} problems={problems} />
      </form>
    </Dialog>
  );
}

/** The server takes the same PIN twice. */
function doubtOf(changing: boolean): string {
  const done = changing ? 'trocado' : 'definido';
  return `Não sabemos se o PIN foi ${done}. Tente de novo com o mesmo PIN: se ele já vale, nada muda.`;
}

type PinFieldsProps = {
  definition: PinDefinition;
  onChange: (part: PinProblems) => void;
  problems: Partial<Record<keyof PinDefinition, string>>;
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

/** Says in full, and keeps on screen, how long withdrawals are held. */
function PinChanged({ onClose }: { onClose: () => void }) {
  const stop = withdrawalLockout(usePin());
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
      <p className="font-medium">{stop?.title}</p>
      <p className="mt-1 text-muted">{stop?.why}</p>
    </Dialog>
  );
}
